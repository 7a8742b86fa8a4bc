/// @file
/// Points of an N-dimensional index space: `wherry::point<3> p{i, j, k}`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wherry {

namespace detail {

/// The largest number of dimensions of an index space.
inline constexpr int max_dimensions = 6;

}  // namespace detail

/// The type of indices, extents and strides. It is signed, as in Fortran, so that halos may begin below zero. (It is
/// not called `index` because POSIX has a function of that name.)
using index_t = std::int64_t;

/// One point, N extents, or N offsets. Dimension 0 comes first.
template <int N> using point = std::array<index_t, static_cast<std::size_t>(N)>;

/// The point whose coordinates are all `value`.
template <int N> constexpr point<N> filled(index_t value) {
  point<N> result{};
  result.fill(value);
  return result;
}

}  // namespace wherry
