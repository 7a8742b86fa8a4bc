/// @file
/// Says which types may be elements of fields, x-arrays and segments: the types whose objects can be copied as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace wherry {

/// True if a copy of the bytes of a T is a T, so that T can be an element. This holds for trivially copyable types, and
/// for pairs, tuples and arrays of such types. A type that has a copy constructor but owns no memory must be declared:
///     template <> inline constexpr bool wherry::travels_as_bytes<triple> = true;
/// Two other traits say more about a type: `deep::is_flat` says the same to deep copies, and `made_of`
/// (plan/element.hpp) names the type of the numbers in it, to which reductions apply.
template <class T> inline constexpr bool travels_as_bytes = std::is_trivially_copyable_v<T>;
template <class T> inline constexpr bool travels_as_bytes<const T> = travels_as_bytes<T>;
template <class First, class Second>
inline constexpr bool travels_as_bytes<std::pair<First, Second>> = travels_as_bytes<First> && travels_as_bytes<Second>;
template <class... Part> inline constexpr bool travels_as_bytes<std::tuple<Part...>> = (travels_as_bytes<Part> && ...);
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<std::array<T, N>> = travels_as_bytes<T>;
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<T[N]> = travels_as_bytes<T>;
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<const T[N]> = travels_as_bytes<T>;

}  // namespace wherry
