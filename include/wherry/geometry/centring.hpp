/// @file
/// Where values sit on a mesh of cells: in them, or on the planes between them.
#pragma once

#include <array>
#include <cstddef>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// Along each dimension n cells have n values in their middle, or n + 1 on their planes. Where a mesh is divided, both
/// sides have the values of the plane between them, and the side above it says what they are. A rank without cells has
/// none of them, whatever its array has room for. Where boxes stand in no rows, the value of a plane is that of the box
/// with the cell above it; of a corner or an edge, of the first there is of: the cell above it in all dimensions, below
/// in the first of those on planes only, below in the second only, below in both, and so on, as one counts in twos.
///
///     centring<3>::nodes()     on the planes of all dimensions: the cells' corners
///     centring<3>::faces(0)    on those of dimension 0 only: flows along it
///     centring<3>::edges(0)    on those of all others
template <int N> struct centring {
  std::array<bool, static_cast<std::size_t>(N)> on_planes{};  ///< one a dimension

  static constexpr centring cells() { return {}; }
  static constexpr centring nodes() { return everywhere(true); }
  /// @pre 0 <= normal < N
  static constexpr centring faces(int normal) { return everywhere(false).with(normal, true); }
  /// @pre 0 <= along < N
  static constexpr centring edges(int along) { return everywhere(true).with(along, false); }

  bool is_of_cells() const { return *this == cells(); }
  /// 1 in each dimension with values on planes, 0 in the others.
  constexpr point<N> planes() const {
    point<N> result{};
    for (std::size_t d = 0; d < N; ++d) result[d] = on_planes[d] ? 1 : 0;
    return result;
  }
  bool operator==(const centring&) const = default;

 private:
  static constexpr centring everywhere(bool planes) {
    centring result;
    result.on_planes.fill(planes);
    return result;
  }
  constexpr centring with(int dimension, bool planes) const {
    auto result = *this;
    result.on_planes.at(static_cast<std::size_t>(dimension)) = planes;
    return result;
  }
};

/// The values that a box of cells has, those on its last planes included. A value on a plane has the number of the cell
/// above it.
template <int N> constexpr box<N> values_of(const box<N>& cells, const centring<N>& on) {
  return grow<N>(cells, {}, on.planes());
}
/// How far from a box of cells those are that its values, ghost values included, may be of: what partial floor plans
/// must know.
template <int N> constexpr halo_widths<N> reach_of(halo_widths<N> ghost, const centring<N>& on) {
  for (std::size_t d = 0; d < N; ++d) {
    ghost.minus[d] += on.planes()[d];
    ghost.plus[d] += on.planes()[d];
  }
  return ghost;
}
/// The values of a whole problem: where it is periodic its last plane is its first one.
template <int N> domain<N> values_of(domain<N> space, const centring<N>& on) {
  auto open = on;
  for (std::size_t d = 0; d < N; ++d) open.on_planes[d] = on.on_planes[d] && !space.periodic[d];
  space.cells = values_of(space.cells, open);
  return space;
}

}  // namespace wherry
