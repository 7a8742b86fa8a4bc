/// @file
/// Points of an N-dimensional index space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wherry {

/// Most dimensions of an index space.
inline constexpr int max_dimensions = 6;

/// Indices, extents and strides are signed, as in Fortran, so that halos may start below zero. (Not `index`: POSIX has
/// a function of that name.)
using index_t = std::int64_t;

/// One point, or N extents, or N offsets; dimension 0 first.
template <int N> using point = std::array<index_t, static_cast<std::size_t>(N)>;

/// The point whose coordinates are all `value`.
template <int N> constexpr point<N> filled(index_t value) {
  point<N> result{};
  result.fill(value);
  return result;
}

}  // namespace wherry
