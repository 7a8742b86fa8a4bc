/// @file
/// Says which of the cells around a box a stencil reads, so that an exchange moves no others. All functions are local.
///
///     const auto star = wherry::stencil_shape::faces();                    // no corners and no edges
///     const auto upwind = wherry::stencil_shape::only({{-1}, {0, -1}});  // the lower neighbours in x and in y
///
/// `halo_options::stencil`, `ghost_filler` and the motion builders take such a shape.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/box.hpp"

namespace wherry {

/// The direction in which a cell lies from a box: in each dimension below it (-1), beside it (0) or above it (1).
/// Entries beyond the number of dimensions are 0.
using cell_direction = std::array<int, static_cast<std::size_t>(detail::max_dimensions)>;

/// The directions in which a stencil reads cells.
struct stencil_shape {
  /// All 3^N - 1 directions: stencils that are boxes.
  static stencil_shape all() { return {}; }
  /// The 2N directions across one face: stencils that are stars.
  static stencil_shape faces() { return {form::faces, {}}; }
  /// The listed directions, as seen from the cell that reads.
  static stencil_shape only(std::vector<cell_direction> directions) { return {form::listed, std::move(directions)}; }

  /// True if the stencil reads in this direction.
  bool contains(const cell_direction& way) const {
    if (kind == form::all) return true;
    if (kind == form::faces) return detail::times_in(way, 0) == detail::max_dimensions - 1;
    return detail::place_of(listed, way) < listed.size();
  }
  bool is_all() const { return kind == form::all; }

  enum class form { all, faces, listed } kind = form::all;
  std::vector<cell_direction> listed;
};

namespace detail {

/// Calls `visit(way, part)` for the part of `cells` in each direction from `core`. The part inside `core` is left out.
template <int N, class Visit>
void for_each_direction(const box<N>& cells, const box<N>& core, Visit&& visit, std::size_t d = 0,
                        cell_direction way = {}) {
  if (d == N) {
    if (way != cell_direction{}) visit(std::as_const(way), cells);
    return;
  }
  for (int side = -1; side <= 1; ++side) {
    auto part = cells;
    if (side >= 0) part.lower[d] = detail::most(part.lower[d], side > 0 ? core.upper[d] : core.lower[d]);
    if (side <= 0) part.upper[d] = detail::least(part.upper[d], side < 0 ? core.lower[d] : core.upper[d]);
    way[d] = side;
    if (part.lower[d] < part.upper[d]) for_each_direction<N>(part, core, visit, d + 1, way);
  }
}

}  // namespace detail

}  // namespace wherry
