/// @file
/// Says where values sit on a mesh of cells: in the middle of cells, or on the planes between them (nodes, edges and
/// faces). It is an option of fields and x-arrays: `{.centring = wherry::centring<3>::nodes()}`.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "wherry/core/error.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// In each dimension, n cells have either n values in their middle or n + 1 values on their planes. Where two boxes
/// meet, both store the values on the plane between them. The upper box owns them: an exchange copies its values to the
/// lower box. A rank without cells has no values, however large its array is.
///
/// Boxes need not stand in rows. In general the owner of a value on planes is the box of one of the cells around it. If
/// the value is on planes of k dimensions, there are 2^k such cells. Number them: the cell with the number b lies below
/// the value in the i-th of these dimensions if bit i of b is set, and above it otherwise. The box of the existing cell
/// with the lowest number owns the value. So a value on the plane of one dimension only belongs to the cell above it,
/// if there is one.
///
///     centring<3>::nodes()     on the planes of all dimensions: the cells' corners
///     centring<3>::faces(0)    on the planes of dimension 0 only: flows along it
///     centring<3>::edges(0)    on the planes of all dimensions but 0
template <int N> struct centring {
  std::array<bool, static_cast<std::size_t>(N)> on_planes{};  ///< for each dimension; false: in the cells

  static constexpr centring cells() { return {}; }
  static constexpr centring nodes() { return everywhere(true); }
  /// @throws error(argument) unless 0 <= normal < N
  static constexpr centring faces(int normal) { return everywhere(false).with("faces", normal, true); }
  /// @throws error(argument) unless 0 <= along < N
  static constexpr centring edges(int along) { return everywhere(true).with("edges", along, false); }

  bool is_of_cells() const { return *this == cells(); }
  /// The point with 1 in each dimension that has values on planes, and 0 in the others.
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
  constexpr centring with(std::string_view call, int dimension, bool planes) const {
    if (dimension < 0 || dimension >= N)
      throw error(error_kind::argument, call, detail::text("'dimension' is ", dimension, ", expected 0 to ", N - 1));
    auto result = *this;
    result.on_planes[static_cast<std::size_t>(dimension)] = planes;
    return result;
  }
};

/// The values of a box of cells, those on its last planes included. A value on a plane has the index of the cell above
/// it.
template <int N> constexpr box<N> values_of(const box<N>& cells, const centring<N>& on) {
  return grow<N>(cells, {}, on.planes());
}

/// The distance from a box to the farthest cells whose values its array may hold, ghost values included. A partial
/// floor plan must know all boxes within it.
template <int N> constexpr halo_widths<N> reach_of(halo_widths<N> ghost, const centring<N>& on) {
  for (std::size_t d = 0; d < N; ++d) {
    ghost.minus[d] += on.planes()[d];
    ghost.plus[d] += on.planes()[d];
  }
  return ghost;
}

/// The values of a whole domain. In a periodic dimension the last plane is the first one and is not counted again.
template <int N> domain<N> values_of(domain<N> space, const centring<N>& on) {
  auto open = on;
  for (std::size_t d = 0; d < N; ++d) open.on_planes[d] = on.on_planes[d] && !space.periodic[d];
  space.cells = values_of(space.cells, open);
  return space;
}

}  // namespace wherry
