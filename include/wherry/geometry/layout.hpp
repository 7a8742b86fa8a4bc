/// @file
/// The layout of an array: the order of its dimensions by increasing strides (GCL, section 4: `layout_map`). All
/// functions are local.
///
///     const auto order = wherry::c_layout<2>();                               // the last dimension is contiguous
///     const auto strides = wherry::dense_strides<2>({rows, columns}, order);  // {columns, 1}
///     const wherry::view<double, 2> matrix(data, {rows, columns}, order);
#pragma once

#include <array>
#include <cstddef>

#include "wherry/core/checked.hpp"
#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/point.hpp"

namespace wherry {

/// A permutation of the dimensions: `place[d]` is the place of dimension d in the order of increasing strides.
/// Fortran's layout is {0,1,2}, and C's is {2,1,0}.
template <int N> struct layout {
  std::array<int, static_cast<std::size_t>(N)> place{};

  /// True if every place from 0 to N-1 occurs once.
  constexpr bool is_permutation() const {
    for (int wanted = 0; wanted < N; ++wanted)
      if (detail::times_in(place, wanted) != 1) return false;
    return true;
  }
  constexpr bool operator==(const layout&) const = default;
};

/// The layout in which dimension 0 has the smallest stride.
template <int N> constexpr layout<N> fortran_layout() {
  layout<N> result;
  for (int d = 0; d < N; ++d) result.place[static_cast<std::size_t>(d)] = d;
  return result;
}

/// The layout in which the last dimension has the smallest stride.
template <int N> constexpr layout<N> c_layout() {
  layout<N> result;
  for (int d = 0; d < N; ++d) result.place[static_cast<std::size_t>(d)] = N - 1 - d;
  return result;
}

/// The strides, in elements, of a dense array with these extents and this layout. @throws error(argument) if an index_t
/// cannot hold the number of elements
template <int N> constexpr point<N> dense_strides(const point<N>& extents, const layout<N>& order) {
  point<N> strides{};
  index_t stride = 1;
  for (int place = 0; place < N; ++place) {
    const auto d = detail::place_of(order.place, place);
    strides[d] = stride;
    stride = detail::checked{"dense_strides", "number of elements"}.product(stride, extents[d]);
  }
  return strides;
}

namespace detail {

/// The size of a cache line in bytes.
inline constexpr index_t cache_line = 64;

/// The extents to allocate for an array whose elements have `element` bytes. Rows at a distance of a power of two fall
/// into the same few cache sets; one more cache line in each row spreads them. @throws error(argument), with the words
/// of `size`, if a length does not fit
template <int N>
constexpr point<N> padded_extents(point<N> extents, const layout<N>& order, index_t element, const checked& size) {
  const auto fastest = detail::place_of(order.place, 0);
  if (N > 1 && size.product(extents[fastest], element) % 512 == 0)
    extents[fastest] = size.sum(extents[fastest], detail::most<index_t>(1, cache_line / element));
  return extents;
}

}  // namespace detail

}  // namespace wherry
