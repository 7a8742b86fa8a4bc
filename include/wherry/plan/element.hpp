/// @file
/// Element types: they record the meaning of an element's bytes, so that both ends of a message can be compared. Pure
/// data, no MPI. Most types need nothing; `made_of` lets operations on numbers apply to a struct of yours.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "wherry/core/float16.hpp"
#include "wherry/core/hash.hpp"

namespace wherry::plans {

/// The kinds of elements.
enum class element_kind : std::uint8_t {
  bytes,  ///< the meaning is unknown: raw memory, `std::byte`, data that an MPI datatype describes
  boolean,
  character,
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  brain_floating,  ///< `bfloat16`; a `float16` is `floating`
  users            ///< a type of the user's; `name` tells such types apart
};

/// An element type. Ranks compare it, and operations are checked against it.
struct element_type {
  element_kind kind = element_kind::bytes;
  std::uint32_t bytes = 1;
  std::uint32_t name = 0;  ///< for `users` only: a hash of the type's name, which is the same in every process

  bool operator==(const element_type&) const = default;
  void add_to(shape_hash& all) const { all.add(kind).add(bytes).add(name); }
};

/// True if the types are equal, or if one of them is raw bytes. The caller must then compare the sizes.
constexpr bool fits(const element_type& a, const element_type& b) {
  return a == b || a.kind == element_kind::bytes || b.kind == element_kind::bytes;
}

/// The type in words, for errors: "8-byte floating-point", "4-byte signed integer", …
std::string to_string(const element_type& type);

}  // namespace wherry::plans

namespace wherry {

/// The type of which an element consists. Arrays consist of their elements. A struct of the user's counts as a type of
/// its own, unless you declare that operations on its numbers are operations on it:
///     template <> struct wherry::made_of<velocity> { using type = double; };
/// The type `std::byte` excludes the struct from all comparisons of types.
template <class T> struct made_of {
  using type = T;
};
template <class T, std::size_t N> struct made_of<T[N]> : made_of<T> {};
template <class T, std::size_t N> struct made_of<std::array<T, N>> : made_of<T> {};

}  // namespace wherry

namespace wherry::detail {

/// A place in the table of the types of numbers (plan/numbers.hpp), counted from 1.
using number_place = std::uint8_t;
inline constexpr number_place no_number = 0;

/// The name of a type of numbers in array files and in numpy, such as "float64"; empty for other types.
std::string_view name_of_number(const plans::element_type& type);

/// True for std::complex and for types with the same layout, such as those of a device. (<complex> would include all
/// stream headers.)
template <class T> inline constexpr bool is_complex = false;
template <class T>
  requires requires(const T& z) {
    typename T::value_type;
    { z.real() } -> std::convertible_to<typename T::value_type>;
    { z.imag() } -> std::convertible_to<typename T::value_type>;
    T(z.real(), z.imag());  // excludes views of two numbers elsewhere
  }
inline constexpr bool is_complex<T> =
    std::is_arithmetic_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);
template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class T> constexpr plans::element_kind kind_of() {
  if constexpr (std::is_same_v<T, std::byte>)
    return plans::element_kind::bytes;
  else if constexpr (std::is_same_v<T, bool>)
    return plans::element_kind::boolean;
  else if constexpr (is_character<T>)
    return plans::element_kind::character;
  else if constexpr (is_brain_float<T>)
    return plans::element_kind::brain_floating;
  else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, float16>)
    return plans::element_kind::floating;
  else if constexpr (is_complex<T>)
    return plans::element_kind::complex;
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? plans::element_kind::signed_integer : plans::element_kind::unsigned_integer;
  else
    return plans::element_kind::users;
}

}  // namespace wherry::detail

namespace wherry::plans {

/// The element type of `T`. An enumeration is a type of the user's.
template <class T> element_type element_of() {
  using whole = std::remove_cv_t<T>;
  using unit = std::remove_cv_t<typename made_of<whole>::type>;
  if constexpr (!std::is_same_v<whole, unit>) {
    return element_of<unit>();
  } else {
    constexpr auto kind = detail::kind_of<unit>();
    element_type result{kind, static_cast<std::uint32_t>(sizeof(unit)), 0};
    if constexpr (kind == element_kind::users) {
      static const std::uint32_t name = detail::name_hash(typeid(unit).name());
      result.name = name;
    }
    return result;
  }
}

}  // namespace wherry::plans
