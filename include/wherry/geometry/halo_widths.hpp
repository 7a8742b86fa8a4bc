/// @file
/// How far halos reach.
#pragma once

#include "wherry/geometry/point.hpp"

namespace wherry {

/// Halo cells on the low and the high side of each dimension.
template <int N> struct halo_widths {
  point<N> minus{}, plus{};

  /// The same everywhere.
  constexpr halo_widths(index_t everywhere) : minus(filled<N>(everywhere)), plus(filled<N>(everywhere)) {}
  /// The same on both sides.
  constexpr halo_widths(const point<N>& both) : minus(both), plus(both) {}
  constexpr halo_widths(const point<N>& low, const point<N>& high) : minus(low), plus(high) {}

  bool operator==(const halo_widths&) const = default;
};

}  // namespace wherry
