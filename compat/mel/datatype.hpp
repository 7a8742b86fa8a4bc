/// @file
/// MPI's datatypes with a type of their own, and how larger ones are made of them.
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"

namespace MEL {

/// An MPI_Datatype with a type of its own. Does not own it: what a TypeCreate… has made is given back by TypeFree.
class Datatype {
 public:
  static const Datatype DATATYPE_NULL, BYTE, PACKED, CHAR, SIGNED_CHAR, UNSIGNED_CHAR, WCHAR, SHORT, UNSIGNED_SHORT,
      INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG, FLOAT, DOUBLE, LONG_DOUBLE, BOOL, INT8_T,
      INT16_T, INT32_T, INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T;

  Datatype() = default;
  explicit Datatype(MPI_Datatype type) : type_(type) {}
  explicit operator MPI_Datatype() const { return type_; }
  MPI_Datatype handle() const { return type_; }
  bool operator==(const Datatype&) const = default;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

inline const Datatype Datatype::DATATYPE_NULL{};
inline const Datatype Datatype::BYTE{MPI_BYTE};
inline const Datatype Datatype::PACKED{MPI_PACKED};
inline const Datatype Datatype::CHAR{MPI_CHAR};
inline const Datatype Datatype::SIGNED_CHAR{MPI_SIGNED_CHAR};
inline const Datatype Datatype::UNSIGNED_CHAR{MPI_UNSIGNED_CHAR};
inline const Datatype Datatype::WCHAR{MPI_WCHAR};
inline const Datatype Datatype::SHORT{MPI_SHORT};
inline const Datatype Datatype::UNSIGNED_SHORT{MPI_UNSIGNED_SHORT};
inline const Datatype Datatype::INT{MPI_INT};
inline const Datatype Datatype::UNSIGNED{MPI_UNSIGNED};
inline const Datatype Datatype::LONG{MPI_LONG};
inline const Datatype Datatype::UNSIGNED_LONG{MPI_UNSIGNED_LONG};
inline const Datatype Datatype::LONG_LONG{MPI_LONG_LONG};
inline const Datatype Datatype::UNSIGNED_LONG_LONG{MPI_UNSIGNED_LONG_LONG};
inline const Datatype Datatype::FLOAT{MPI_FLOAT};
inline const Datatype Datatype::DOUBLE{MPI_DOUBLE};
inline const Datatype Datatype::LONG_DOUBLE{MPI_LONG_DOUBLE};
inline const Datatype Datatype::BOOL{MPI_C_BOOL};
inline const Datatype Datatype::INT8_T{MPI_INT8_T};
inline const Datatype Datatype::INT16_T{MPI_INT16_T};
inline const Datatype Datatype::INT32_T{MPI_INT32_T};
inline const Datatype Datatype::INT64_T{MPI_INT64_T};
inline const Datatype Datatype::UINT8_T{MPI_UINT8_T};
inline const Datatype Datatype::UINT16_T{MPI_UINT16_T};
inline const Datatype Datatype::UINT32_T{MPI_UINT32_T};
inline const Datatype Datatype::UINT64_T{MPI_UINT64_T};

namespace detail {

inline void must_be_a_type(std::string_view where, const Datatype& type) {
  if (type == Datatype::DATATYPE_NULL) refuse(where, "the datatype is null");
}
inline void must_not_be_negative(std::string_view where, std::string_view name, long long value) {
  if (value < 0) refuse(where, wherry::detail::text(name, " is ", value));
}

inline Datatype committed(std::string_view where, MPI_Datatype made) {
  wherry::check_mpi(MPI_Type_commit(&made), where);
  return Datatype(made);
}

/// A part of an array, the last index of which is the fastest. @throws wherry::error that says where it would have to
/// lie
template <std::size_t N>
Datatype part_of_array(std::string_view where, const Datatype& type, std::array<int, N> starts,
                       std::array<int, N> parts, std::array<int, N> sizes) {
  must_be_a_type(where, type);
  for (std::size_t d = 0; d < N; ++d)
    if (starts[d] < 0 || parts[d] < 1 || sizes[d] < 1 || parts[d] > sizes[d] - starts[d])
      refuse(where, wherry::detail::text("the part does not lie in the array: ", parts[d], " elements from ", starts[d],
                                         " on, of ", sizes[d]));
  MPI_Datatype made;
  wherry::check_mpi(MPI_Type_create_subarray(static_cast<int>(N), sizes.data(), parts.data(), starts.data(),
                                             MPI_ORDER_C, type.handle(), &made),
                    where);
  return committed(where, made);
}

}  // namespace detail

/// `length` objects of a type, one behind the other. Ready to be used. @throws wherry::error for a negative length
inline Datatype TypeCreateContiguous(const Datatype& type, const int length) {
  constexpr std::string_view where = "MEL::TypeCreateContiguous";
  detail::must_be_a_type(where, type);
  detail::must_not_be_negative(where, "the length", length);
  MPI_Datatype made;
  wherry::check_mpi(MPI_Type_contiguous(length, type.handle(), &made), where);
  return detail::committed(where, made);
}

/// The part of an image of `total_width` columns and `total_height` rows, row after row, that begins at column `x` of
/// row `y` and has `width` columns and `height` rows. Ready to be used.
/// @throws wherry::error for a part that is empty or not in the array
inline Datatype TypeCreateSubArray2D(const Datatype& type, const int x, const int y, const int width, const int height,
                                     const int total_width, const int total_height) {
  return detail::part_of_array<2>("MEL::TypeCreateSubArray2D", type, {y, x}, {height, width},
                                  {total_height, total_width});
}

/// Gives types back, which become null. Null is allowed.
template <std::same_as<Datatype>... Types> void TypeFree(Types&... types) {
  const auto give_back = [](Datatype& type) {
    MPI_Datatype handle = std::exchange(type, Datatype()).handle();
    if (handle != MPI_DATATYPE_NULL) wherry::check_mpi(MPI_Type_free(&handle), "MEL::TypeFree");
  };
  (give_back(types), ...);
}

}  // namespace MEL
