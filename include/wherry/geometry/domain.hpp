/// @file
/// The index space of a whole problem, periodic in some of its dimensions.
#pragma once

#include <array>
#include <cstddef>

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

/// A box of cells whose opposite faces meet where `periodic` says so.
template <int N> struct domain {
  box<N> cells{};
  std::array<bool, static_cast<std::size_t>(N)> periodic{};

  /// Open in all dimensions.
  static constexpr domain open(const box<N>& cells) { return {cells, {}}; }
  /// Periodic in all dimensions.
  static constexpr domain torus(const box<N>& cells) {
    domain result{cells, {}};
    result.periodic.fill(true);
    return result;
  }
  /// The cell of the domain that `p` is an image of; dimensions that are not periodic stay as they are.
  constexpr point<N> wrapped(point<N> p) const {
    for (std::size_t d = 0; d < N; ++d)
      if (const auto length = cells.extent(static_cast<int>(d)); periodic[d] && length > 0)
        p[d] -= floor_divide(p[d] - cells.lower[d], length) * length;
    return p;
  }
  bool operator==(const domain&) const = default;
};

/// Calls `visit(offset)` for every shift by whole periods, none at all included, under which `moving` meets `target`.
/// Several where halos are wider than the domain.
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
    // Shifts that bring the upper end beyond the target's lower one, and the lower end before its upper one.
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
