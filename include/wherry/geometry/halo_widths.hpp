/// @file
/// The widths of a halo. Options that take one also accept a plain number, such as `{.ghost_width = 1}`.
#pragma once

#include "wherry/geometry/point.hpp"

namespace wherry {

/// The number of halo cells on the low side (`minus`) and on the high side (`plus`) of each dimension.
template <int N> struct halo_widths {
  point<N> minus{}, plus{};

  /// The same width on all sides.
  constexpr halo_widths(index_t everywhere) : minus(filled<N>(everywhere)), plus(filled<N>(everywhere)) {}
  /// A width for each dimension, the same on both of its sides.
  constexpr halo_widths(const point<N>& both) : minus(both), plus(both) {}
  constexpr halo_widths(const point<N>& low, const point<N>& high) : minus(low), plus(high) {}

  bool operator==(const halo_widths&) const = default;
};

}  // namespace wherry
