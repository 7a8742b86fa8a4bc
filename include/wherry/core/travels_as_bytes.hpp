/// @file
/// Which types may be elements: those that are their bytes.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace wherry {

/// Whether a copy of a T's bytes is a T, so that it can be an element of a field, an x-array, a segment. True of what
/// is trivially copyable, and of pairs, tuples and arrays of such. A type with a copy constructor of its own, but no
/// memory of its own, says so itself:
///     template <> inline constexpr bool wherry::travels_as_bytes<triple> = true;
template <class T> inline constexpr bool travels_as_bytes = std::is_trivially_copyable_v<T>;
template <class T> inline constexpr bool travels_as_bytes<const T> = travels_as_bytes<T>;
template <class First, class Second>
inline constexpr bool travels_as_bytes<std::pair<First, Second>> = travels_as_bytes<First> && travels_as_bytes<Second>;
template <class... Part> inline constexpr bool travels_as_bytes<std::tuple<Part...>> = (travels_as_bytes<Part> && ...);
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<std::array<T, N>> = travels_as_bytes<T>;
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<T[N]> = travels_as_bytes<T>;
template <class T, std::size_t N> inline constexpr bool travels_as_bytes<const T[N]> = travels_as_bytes<T>;

}  // namespace wherry
