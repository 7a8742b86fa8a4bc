/// @file
/// Halo descriptors: one dimension of one field (paper 1, section 4, figure 3).
#pragma once

#include <array>
#include <string>

#include "wherry/core/memory_space.hpp"
#include "wherry/geometry/point.hpp"

namespace wherry {

/// Most dimensions of a halo exchange.
inline constexpr int max_halo_dimensions = 4;

/// GCL's five integers. Cells `begin` to `end` (inclusive) are the core; `minus` cells before and `plus` cells behind
/// it are halo; all `length` cells of the dimension may include padding beyond that.
struct halo_descriptor {
  index_t minus = 0, plus = 0, begin = 0, end = -1, length = 0;

  /// Cells of the core; 0 for an empty subdomain.
  constexpr index_t core() const { return end - begin + 1; }
  bool operator==(const halo_descriptor&) const = default;
};

/// Halo cells on the low and the high side of each dimension.
template <int N> struct halo_widths {
  point<N> minus{}, plus{};

  /// The same everywhere.
  constexpr halo_widths(index_t everywhere) : minus(filled<N>(everywhere)), plus(filled<N>(everywhere)) {}
  /// The same on both sides.
  constexpr halo_widths(const point<N>& both) : minus(both), plus(both) {}
  constexpr halo_widths(const point<N>& low, const point<N>& high) : minus(low), plus(high) {}
};

/// One field on one subdomain, with types erased: what the halo module and everything below it works on. Typed fields
/// and views turn into this (`describe`); so do arguments from C, Fortran and Python.
struct halo_field {
  std::string name;
  void* data = nullptr;  ///< the element whose indices are all 0
  index_t element = 1;   ///< bytes
  int dimensions = 0;
  std::array<halo_descriptor, max_halo_dimensions> halo{};
  std::array<index_t, max_halo_dimensions> stride{};  ///< bytes
  memory_space space = memory_space::host;
};

}  // namespace wherry
