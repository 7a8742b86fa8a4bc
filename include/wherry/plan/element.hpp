/// @file
/// Element types: what the bytes of an element mean. Pure data; no MPI.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "wherry/core/hash.hpp"

namespace wherry {

enum class element_kind : std::uint8_t {
  bytes,  ///< nobody has said what they mean: raw memory, `std::byte`, what an MPI datatype describes
  boolean,
  character,
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  users  ///< a type of the user's; `name` tells one from another
};

/// An element type: what ranks compare, and what an operation is checked against.
struct element_type {
  element_kind kind = element_kind::bytes;
  std::uint32_t bytes = 1;
  std::uint32_t name = 0;  ///< `users` only: from the type's name, so that it is the same in every process

  bool operator==(const element_type&) const = default;
  void add_to(shape_hash& all) const { all.add(kind).add(bytes).add(name); }
};

/// Equal, or one of them is only bytes: then the sizes are all that is known.
constexpr bool fits(const element_type& a, const element_type& b) {
  return a == b || a.kind == element_kind::bytes || b.kind == element_kind::bytes;
}

/// "8-byte floating-point", "4-byte signed integer", …
std::string to_string(const element_type& type);

/// What an element consists of. Arrays consist of their elements; a struct of the user's is a type of its own, unless
/// you say that operations on its numbers are operations on it:
///     template <> struct wherry::made_of<velocity> { using type = double; };
/// `std::byte` here takes the type out of all comparisons.
template <class T> struct made_of {
  using type = T;
};
template <class T, std::size_t N> struct made_of<T[N]> : made_of<T> {};
template <class T, std::size_t N> struct made_of<std::array<T, N>> : made_of<T> {};

namespace detail {

/// std::complex, and what is laid out alike, such as a device's. (<complex> brings all streams along.)
template <class T> inline constexpr bool is_complex = false;
template <class T>
  requires requires(const T& z) {
    typename T::value_type;
    { z.real() } -> std::convertible_to<typename T::value_type>;
    { z.imag() } -> std::convertible_to<typename T::value_type>;
    T(z.real(), z.imag());  // and so no view of two numbers elsewhere
  }
inline constexpr bool is_complex<T> =
    std::is_arithmetic_v<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);
template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class T> constexpr element_kind kind_of() {
  if constexpr (std::is_same_v<T, std::byte>)
    return element_kind::bytes;
  else if constexpr (std::is_same_v<T, bool>)
    return element_kind::boolean;
  else if constexpr (is_character<T>)
    return element_kind::character;
  else if constexpr (std::is_floating_point_v<T>)
    return element_kind::floating;
  else if constexpr (is_complex<T>)
    return element_kind::complex;
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? element_kind::signed_integer : element_kind::unsigned_integer;
  else
    return element_kind::users;
}

}  // namespace detail

/// The element type of `T`. Enumerations are types of the user's.
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

}  // namespace wherry
