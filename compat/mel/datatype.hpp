/// @file
/// MPI datatypes as a class of their own, larger types made from them, and the datatype of a C++ type. A type from
/// TypeCreate… is committed; free it with TypeFree. All calls are local.
#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "mel/call.hpp"

namespace MEL {

using Aint = MPI_Aint;

/// An MPI_Datatype as a class of its own, which does not own the type.
class Datatype : public detail::handle_of<Datatype, MPI_Datatype> {
 public:
  static const Datatype DATATYPE_NULL, BYTE, PACKED, CHAR, SIGNED_CHAR, UNSIGNED_CHAR, WCHAR, SHORT, UNSIGNED_SHORT,
      INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG, FLOAT, DOUBLE, LONG_DOUBLE, BOOL, INT8_T,
      INT16_T, INT32_T, INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T, FLOAT_COMPLEX, DOUBLE_COMPLEX,
      LONG_DOUBLE_COMPLEX, AINT, OFFSET, COUNT;

  Datatype() : handle_of(MPI_DATATYPE_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
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
inline const Datatype Datatype::FLOAT_COMPLEX{MPI_C_FLOAT_COMPLEX};
inline const Datatype Datatype::DOUBLE_COMPLEX{MPI_C_DOUBLE_COMPLEX};
inline const Datatype Datatype::LONG_DOUBLE_COMPLEX{MPI_C_LONG_DOUBLE_COMPLEX};
inline const Datatype Datatype::AINT{MPI_AINT};
inline const Datatype Datatype::OFFSET{MPI_OFFSET};
inline const Datatype Datatype::COUNT{MPI_COUNT};

namespace detail {

inline void must_be_a_type(std::string_view where, const Datatype& type) {
  if (type == Datatype::DATATYPE_NULL) refuse(where, "the datatype is DATATYPE_NULL");
}

/// The committed type that an MPI call returns through its last argument.
template <class... Parameters, class... Args>
Datatype made_type(std::string_view where, int (*mpi)(Parameters...), const Args&... args) {
  MPI_Datatype made = answer<MPI_Datatype>(where, mpi, args...);
  call(where, MPI_Type_commit, &made);
  return Datatype(made);
}

/// Collects one member of all blocks in an array.
template <class Block, class Member>
std::vector<Member> column(const std::vector<Block>& blocks, Member Block::* member) {
  std::vector<Member> all;
  all.reserve(blocks.size());
  for (const Block& block : blocks) all.push_back(block.*member);
  return all;
}

/// The type of a part of an array; the last index varies fastest.
/// @throws wherry::error that tells the place of the part, if it does not lie in the array
inline Datatype part_of_array(std::string_view where, const Datatype& type, int dimensions, const int* starts,
                              const int* parts, const int* sizes) {
  must_be_a_type(where, type);
  for (int d = 0; d < dimensions; ++d)
    if (starts[d] < 0 || parts[d] < 1 || sizes[d] < 1 || parts[d] > sizes[d] - starts[d])
      refuse(where, wherry::detail::text("the part does not lie in the array: ", parts[d], " elements from ", starts[d],
                                         " on, in an array of ", sizes[d]));
  return made_type(where, MPI_Type_create_subarray, dimensions, sizes, parts, starts, MPI_ORDER_C, type);
}
/// The same with the fastest index first, as in MEL's SubArray1D to 5D.
template <std::size_t N>
Datatype part_of_array(std::string_view where, const Datatype& type, std::array<int, N> starts,
                       std::array<int, N> parts, std::array<int, N> sizes) {
  for (auto* numbers : {&starts, &parts, &sizes})
    for (std::size_t d = 0; d < N / 2; ++d) std::swap((*numbers)[d], (*numbers)[N - 1 - d]);
  return part_of_array(where, type, static_cast<int>(N), starts.data(), parts.data(), sizes.data());
}

/// The predefined type for `T`; null if there is none.
template <class T> Datatype predefined() {
  using std::is_same_v;
  if constexpr (is_same_v<T, char>) return Datatype::CHAR;
  if constexpr (is_same_v<T, signed char>) return Datatype::SIGNED_CHAR;
  if constexpr (is_same_v<T, unsigned char>) return Datatype::UNSIGNED_CHAR;
  if constexpr (is_same_v<T, std::byte>) return Datatype::BYTE;
  if constexpr (is_same_v<T, wchar_t>) return Datatype::WCHAR;
  if constexpr (is_same_v<T, short>) return Datatype::SHORT;
  if constexpr (is_same_v<T, unsigned short>) return Datatype::UNSIGNED_SHORT;
  if constexpr (is_same_v<T, int>) return Datatype::INT;
  if constexpr (is_same_v<T, unsigned>) return Datatype::UNSIGNED;
  if constexpr (is_same_v<T, long>) return Datatype::LONG;
  if constexpr (is_same_v<T, unsigned long>) return Datatype::UNSIGNED_LONG;
  if constexpr (is_same_v<T, long long>) return Datatype::LONG_LONG;
  if constexpr (is_same_v<T, unsigned long long>) return Datatype::UNSIGNED_LONG_LONG;
  if constexpr (is_same_v<T, float>) return Datatype::FLOAT;
  if constexpr (is_same_v<T, double>) return Datatype::DOUBLE;
  if constexpr (is_same_v<T, long double>) return Datatype::LONG_DOUBLE;
  if constexpr (is_same_v<T, bool>) return Datatype::BOOL;
  if constexpr (is_same_v<T, std::complex<float>>) return Datatype::FLOAT_COMPLEX;
  if constexpr (is_same_v<T, std::complex<double>>) return Datatype::DOUBLE_COMPLEX;
  if constexpr (is_same_v<T, std::complex<long double>>) return Datatype::LONG_DOUBLE_COMPLEX;
  return Datatype();
}

/// The type of `T` while this object lives: a predefined type, else a type of as many bytes. So the bytes of `count`
/// objects may exceed an int.
/// @throws wherry::error for a negative count
template <class T> class type_of {
  using object = std::remove_cv_t<T>;
  static_assert(std::is_trivially_copyable_v<object>,
                "MEL: the shallow calls are for plain data; MEL::Deep has others");

 public:
  type_of(std::string_view where, int count) : type_(predefined<object>()) {
    must_not_be_negative(where, "the count", count);
    if (type_ != Datatype()) return;
    type_ = made_type(where, MPI_Type_contiguous, static_cast<int>(sizeof(object)), Datatype::BYTE);
    owned_ = wherry::detail::unique_datatype(type_);
  }
  operator const Datatype&() const { return type_; }

 private:
  Datatype type_;
  wherry::detail::unique_datatype owned_;
};

}  // namespace detail

/// `length` contiguous objects of a type.
/// @throws wherry::error for a negative length
inline Datatype TypeCreateContiguous(const Datatype& type, int length) {
  constexpr std::string_view where = "MEL::TypeCreateContiguous";
  detail::must_be_a_type(where, type);
  detail::must_not_be_negative(where, "the length", length);
  return detail::made_type(where, MPI_Type_contiguous, length, type);
}

/// `count` blocks of `length` objects; blocks begin `stride` objects apart.
inline Datatype TypeCreateVector(const Datatype& type, int count, int length, int stride) {
  return detail::made_type("MEL::TypeCreateVector", MPI_Type_vector, count, length, stride, type);
}
/// `count` blocks of `length` objects; blocks begin `stride` bytes apart.
inline Datatype TypeCreateHVector(const Datatype& type, int count, int length, Aint stride) {
  return detail::made_type("MEL::TypeCreateHVector", MPI_Type_create_hvector, count, length, stride, type);
}

struct TypeIndexed_Block {
  int length = 0, displ = 0;
  TypeIndexed_Block() = default;
  TypeIndexed_Block(int block_length, int place) : length(block_length), displ(place) {}
};
/// Blocks of different lengths, at displacements in objects.
inline Datatype TypeCreateIndexed(const Datatype& type, int count, const int* lengths, const int* places) {
  return detail::made_type("MEL::TypeCreateIndexed", MPI_Type_indexed, count, lengths, places, type);
}
inline Datatype TypeCreateIndexed(const Datatype& type, const std::vector<TypeIndexed_Block>& blocks) {
  return TypeCreateIndexed(type, static_cast<int>(blocks.size()),
                           detail::column(blocks, &TypeIndexed_Block::length).data(),
                           detail::column(blocks, &TypeIndexed_Block::displ).data());
}

struct TypeHIndexed_Block {
  int length = 0;
  Aint displ = 0;
  TypeHIndexed_Block() = default;
  TypeHIndexed_Block(int block_length, Aint place) : length(block_length), displ(place) {}
};
/// Blocks of different lengths, at displacements in bytes.
inline Datatype TypeCreateHIndexed(const Datatype& type, int count, const int* lengths, const Aint* places) {
  return detail::made_type("MEL::TypeCreateHIndexed", MPI_Type_create_hindexed, count, lengths, places, type);
}
inline Datatype TypeCreateHIndexed(const Datatype& type, const std::vector<TypeHIndexed_Block>& blocks) {
  return TypeCreateHIndexed(type, static_cast<int>(blocks.size()),
                            detail::column(blocks, &TypeHIndexed_Block::length).data(),
                            detail::column(blocks, &TypeHIndexed_Block::displ).data());
}

/// Blocks of one length, at displacements in objects.
inline Datatype TypeCreateIndexedBlock(const Datatype& type, int count, int length, const int* places) {
  return detail::made_type("MEL::TypeCreateIndexedBlock", MPI_Type_create_indexed_block, count, length, places, type);
}
inline Datatype TypeCreateIndexedBlock(const Datatype& type, int length, const std::vector<int>& places) {
  return TypeCreateIndexedBlock(type, static_cast<int>(places.size()), length, places.data());
}
/// Blocks of one length, at displacements in bytes.
inline Datatype TypeCreateHIndexedBlock(const Datatype& type, int count, int length, const Aint* places) {
  return detail::made_type("MEL::TypeCreateHIndexedBlock", MPI_Type_create_hindexed_block, count, length, places, type);
}
inline Datatype TypeCreateHIndexedBlock(const Datatype& type, int length, const std::vector<Aint>& places) {
  return TypeCreateHIndexedBlock(type, static_cast<int>(places.size()), length, places.data());
}

struct TypeStruct_Block {
  Datatype datatype;
  int length = 0;
  Aint offset = 0;
  TypeStruct_Block() = default;
  TypeStruct_Block(const Datatype& type, Aint place) : TypeStruct_Block(type, 1, place) {}
  TypeStruct_Block(const Datatype& type, int block_length, Aint place)
      : datatype(type), length(block_length), offset(place) {}
};
/// Blocks of different types, at displacements in bytes.
inline Datatype TypeCreateStruct(int count, const Datatype* types, const int* lengths, const Aint* places) {
  return detail::made_type("MEL::TypeCreateStruct", MPI_Type_create_struct, count, lengths, places,
                           detail::handles<MPI_Datatype>(types));
}
inline Datatype TypeCreateStruct(const std::vector<TypeStruct_Block>& blocks) {
  return TypeCreateStruct(static_cast<int>(blocks.size()), detail::column(blocks, &TypeStruct_Block::datatype).data(),
                          detail::column(blocks, &TypeStruct_Block::length).data(),
                          detail::column(blocks, &TypeStruct_Block::offset).data());
}

struct TypeSubArray_Dim {
  int start = 0, size = 0, extent = 0;
  TypeSubArray_Dim() = default;
  /// `part` elements from `first` on, of `all` elements.
  TypeSubArray_Dim(int first, int part, int all) : start(first), size(part), extent(all) {}
};
/// A part of an array, with `parts[d]` elements from `starts[d]` on, of `sizes[d]`, in dimension d. The last index
/// varies fastest.
/// @throws wherry::error for a part that is empty or not in the array
inline Datatype TypeCreateSubArray(const Datatype& type, int dimensions, const int* starts, const int* parts,
                                   const int* sizes) {
  return detail::part_of_array("MEL::TypeCreateSubArray", type, dimensions, starts, parts, sizes);
}
inline Datatype TypeCreateSubArray(const Datatype& type, const std::vector<TypeSubArray_Dim>& dimensions) {
  return TypeCreateSubArray(type, static_cast<int>(dimensions.size()),
                            detail::column(dimensions, &TypeSubArray_Dim::start).data(),
                            detail::column(dimensions, &TypeSubArray_Dim::size).data(),
                            detail::column(dimensions, &TypeSubArray_Dim::extent).data());
}

/// A part of an array of 1 to 5 dimensions, with the fastest index first: all starts, then all parts, then all sizes.
inline Datatype TypeCreateSubArray1D(const Datatype& type, int x, int width, int total_width) {
  return detail::part_of_array<1>("MEL::TypeCreateSubArray1D", type, {x}, {width}, {total_width});
}
/// A part of an image: it begins at column `x` of row `y`, and has `width` columns and `height` rows. The image has
/// `total_width` columns and `total_height` rows, and is stored row after row.
inline Datatype TypeCreateSubArray2D(const Datatype& type, int x, int y, int width, int height, int total_width,
                                     int total_height) {
  return detail::part_of_array<2>("MEL::TypeCreateSubArray2D", type, {x, y}, {width, height},
                                  {total_width, total_height});
}
inline Datatype TypeCreateSubArray3D(const Datatype& type, int x, int y, int z, int width, int height, int depth,
                                     int total_width, int total_height, int total_depth) {
  return detail::part_of_array<3>("MEL::TypeCreateSubArray3D", type, {x, y, z}, {width, height, depth},
                                  {total_width, total_height, total_depth});
}
/// `s…` are the parts, `d…` the sizes.
inline Datatype TypeCreateSubArray4D(const Datatype& type, int x, int y, int z, int w, int sx, int sy, int sz, int sw,
                                     int dx, int dy, int dz, int dw) {
  return detail::part_of_array<4>("MEL::TypeCreateSubArray4D", type, {x, y, z, w}, {sx, sy, sz, sw}, {dx, dy, dz, dw});
}
inline Datatype TypeCreateSubArray5D(const Datatype& type, int x, int y, int z, int w, int v, int sx, int sy, int sz,
                                     int sw, int sv, int dx, int dy, int dz, int dw, int dv) {
  return detail::part_of_array<5>("MEL::TypeCreateSubArray5D", type, {x, y, z, w, v}, {sx, sy, sz, sw, sv},
                                  {dx, dy, dz, dw, dv});
}

inline Datatype TypeDuplicate(const Datatype& type) {
  return Datatype(detail::answer<MPI_Datatype>("MEL::TypeDuplicate", MPI_Type_dup, type));
}
/// The number of bytes of data in a type.
inline int TypeSize(const Datatype& type) { return detail::answer<int>("MEL::TypeSize", MPI_Type_size, type); }
/// The lower bound and the extent of a type, in bytes.
inline std::pair<Aint, Aint> TypeExtent(const Datatype& type) {
  Aint begin = 0, extent = 0;
  detail::call("MEL::TypeExtent", MPI_Type_get_extent, type, &begin, &extent);
  return {begin, extent};
}
inline Aint TypeGetExtent(const Datatype& type) {
  Aint begin = 0, extent = 0;
  detail::call("MEL::TypeGetExtent", MPI_Type_get_extent, type, &begin, &extent);
  return extent;
}

/// Frees types and sets them to null. Null is allowed.
template <detail::one_or_several<Datatype>... Types> void TypeFree(Types&... types) {
  (detail::give_back("MEL::TypeFree", MPI_Type_free, types), ...);
}

}  // namespace MEL
