/// @file
/// Which neighbours' cells a stencil reads.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/box.hpp"

namespace wherry {

/// Where a cell lies, seen from a box: in each dimension below it (-1), beside it (0) or above it (1). Dimensions that
/// there are not are 0.
using cell_direction = std::array<int, static_cast<std::size_t>(max_dimensions)>;

/// Which of the cells around a box a stencil reads.
struct stencil_shape {
  /// In all 3^N - 1 directions: boxes.
  static stencil_shape all() { return {}; }
  /// Only those beyond exactly one face, in 2N directions: stars.
  static stencil_shape faces() { return {form::faces, {}}; }
  /// Just these directions, seen from the cell that reads.
  static stencil_shape only(std::vector<cell_direction> directions) { return {form::listed, std::move(directions)}; }

  bool contains(const cell_direction& way) const {
    if (kind == form::all) return true;
    if (kind == form::faces) return detail::times_in(way, 0) == max_dimensions - 1;
    return detail::place_of(listed, way) < listed.size();
  }
  bool is_all() const { return kind == form::all; }

  enum class form { all, faces, listed } kind = form::all;
  std::vector<cell_direction> listed;
};

/// Calls `visit(way, part)` for the parts of `cells` in each direction from `core`, but not for what is inside it.
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

}  // namespace wherry
