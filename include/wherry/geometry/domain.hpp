/// @file
/// The index space of a whole problem: a box of cells, with the dimensions in which it is periodic. All functions are
/// local.
///
///     const auto space = wherry::domain<2>::torus(wherry::box_of_extents<2>({64, 64}));
///     const auto p = space.wrapped({-1, 64});                                     // {63, 0}
///     const wherry::domain<2> channel{wherry::box_of_extents<2>({256, 64}), {true, false}};  // periodic in x only
#pragma once

#include <array>
#include <cstddef>

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

/// A box of cells. In each dimension that is `periodic`, its opposite faces meet.
template <int N> struct domain {
  box<N> cells{};
  std::array<bool, static_cast<std::size_t>(N)> periodic{};

  /// A domain that is periodic in no dimension.
  static constexpr domain open(const box<N>& cells) { return {cells, {}}; }
  /// A domain that is periodic in all dimensions.
  static constexpr domain torus(const box<N>& cells) {
    domain result{cells, {}};
    result.periodic.fill(true);
    return result;
  }
  /// The cell of the domain of which `p` is a periodic image. Coordinates in dimensions that are not periodic
  /// stay as they are.
  constexpr point<N> wrapped(point<N> p) const {
    for (std::size_t d = 0; d < N; ++d)
      if (const auto length = cells.extent(static_cast<int>(d)); periodic[d] && length > 0)
        p[d] -= floor_divide(p[d] - cells.lower[d], length) * length;
    return p;
  }
  bool operator==(const domain&) const = default;
};

/// The same domain in cells of a grid that is `ratio` times finer, periodic in the same dimensions.
/// @throws error(argument) if a corner does not fit an index_t
template <int N> constexpr domain<N> refine(const domain<N>& coarse, const point<N>& ratio) {
  return {refine(coarse.cells, ratio), coarse.periodic};
}
template <int N> constexpr domain<N> refine(const domain<N>& coarse, index_t ratio) {
  return refine(coarse, filled<N>(ratio));
}

/// Calls `visit(offset)` for every offset of whole periods, zero included, for which `moving` shifted by it intersects
/// `target`. If halos are wider than the domain, there are several such offsets for one pair of boxes.
template <int N, class Visit>
constexpr void for_each_image(const domain<N>& space, const box<N>& moving, const box<N>& target, Visit&& visit) {
  if (moving.empty() || target.empty()) return;
  point<N> first{}, last{}, period{};
  for (std::size_t d = 0; d < N; ++d) {
    const index_t length = space.cells.upper[d] - space.cells.lower[d];
    if (!space.periodic[d] || length <= 0) {
      if (moving.upper[d] <= target.lower[d] || target.upper[d] <= moving.lower[d]) return;
      continue;
    }
    // The range of shifts that move the upper end beyond the target's lower end, and the lower end before the target's
    // upper end.
    period[d] = length;
    first[d] = floor_divide(target.lower[d] - moving.upper[d], length) + 1;
    last[d] = -floor_divide(moving.lower[d] - target.upper[d], length) - 1;
    if (first[d] > last[d]) return;
  }
  box<N> shifts{first, last};
  for (std::size_t d = 0; d < N; ++d) ++shifts.upper[d];
  for_each_point(shifts, [&](const point<N>& s) {
    point<N> offset{};
    for (std::size_t d = 0; d < N; ++d) offset[d] = s[d] * period[d];
    visit(static_cast<const point<N>&>(offset));
  });
}

}  // namespace wherry
