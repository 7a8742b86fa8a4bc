/// @file
/// `is_flat`: types that are copied byte by byte although the compiler cannot see that this is right.
///
///     struct position {
///       double x = 0, y = 0;
///       position() = default;
///       position(double a, double b) : x(a), y(b) {}
///     };
///     template <> inline constexpr bool wherry::deep::is_flat<position> = true;
///
/// A type with pointers or containers needs a description instead: see `describe.hpp`.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "wherry/plan/element.hpp"

namespace wherry::deep {

/// Specialise as true for a trivially copyable type that its bytes represent completely, if the library cannot see
/// this: a class with a constructor or private members, or an aggregate of more than 32 members.
template <class T> inline constexpr bool is_flat = false;
// <complex>, <chrono> and <bitset> take longer to include than all of this module: std::complex, duration, time_point
// and bitset are recognised by their members.
template <class T>
  requires requires(const T& x) {
    typename T::reference;
    { x.to_ullong() } -> std::same_as<unsigned long long>;
    { x.count() } -> std::same_as<std::size_t>;
  }
inline constexpr bool is_flat<T> = std::is_trivially_copyable_v<T>;
template <class T>
  requires wherry::detail::is_small_float<T>
inline constexpr bool is_flat<T> = true;
template <class T>
  requires wherry::detail::is_complex<T>
inline constexpr bool is_flat<T> = std::is_trivially_copyable_v<T>;
template <class T>
  requires requires {
    typename T::period;
    { T::zero() } -> std::same_as<T>;
  }
inline constexpr bool is_flat<T> = std::is_arithmetic_v<typename T::rep> && sizeof(T) == sizeof(typename T::rep);
template <class T>
  requires requires(const T& t) {
    typename T::clock;
    { t.time_since_epoch() } -> std::same_as<typename T::duration>;
  }
inline constexpr bool is_flat<T> = is_flat<typename T::duration> && sizeof(T) == sizeof(typename T::duration);

}  // namespace wherry::deep
