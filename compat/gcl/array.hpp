/// @file
/// `array` and `access`: small arrays, and the offsets of elements in a field.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

namespace GCL {

/// N values, such as coordinates, extents or halo descriptors: `array<int, 3>(1, 2, 3)`, or all zero.
template <class T, std::size_t N> class array {
 public:
  using value_type = T;

  constexpr array() = default;
  template <std::convertible_to<T>... Value>
    requires(sizeof...(Value) == N)
  constexpr array(const Value&... values) : values_{static_cast<T>(values)...} {}

  constexpr T& operator[](std::size_t n) { return values_[n]; }
  constexpr const T& operator[](std::size_t n) const { return values_[n]; }
  static constexpr std::size_t size() { return N; }
  constexpr T* data() { return values_.data(); }
  constexpr const T* data() const { return values_.data(); }
  constexpr auto begin() { return values_.begin(); }
  constexpr auto begin() const { return values_.begin(); }
  constexpr auto end() { return values_.end(); }
  constexpr auto end() const { return values_.end(); }
  bool operator==(const array&) const = default;

 private:
  std::array<T, N> values_{};
};

namespace gcl_utils {
/// `make_array(1, 2, 3)` is an `array<int, 3>`.
template <class First, std::convertible_to<First>... Other>
constexpr array<First, 1 + sizeof...(Other)> make_array(const First& first, const Other&... others) {
  return {first, static_cast<First>(others)...};
}
}  // namespace gcl_utils

/// The offset of the element with these indices in an array of these extents. Indices are in the order of increasing
/// strides.
constexpr int access(int i1, int i2, int n1, int /*n2*/) { return i1 + i2 * n1; }
constexpr int access(int i1, int i2, int i3, int n1, int n2, int /*n3*/) { return i1 + (i2 + i3 * n2) * n1; }
template <std::size_t N> constexpr int access(const array<int, N>& indices, const array<int, N>& extents) {
  int place = 0;
  for (std::size_t d = N; d-- > 0;) place = place * extents[d] + indices[d];
  return place;
}

}  // namespace GCL
