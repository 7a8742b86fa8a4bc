/// @file
/// The index space of a whole problem, periodic in some of its dimensions.
#pragma once

#include <array>
#include <cstddef>

#include "wherry/geometry/box.hpp"

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
    const auto floor_of = [length](index_t x) { return x >= 0 ? x / length : -((-x + length - 1) / length); };
    period[d] = length;
    first[d] = floor_of(target.lower[d] - moving.upper[d]) + 1;
    last[d] = -floor_of(-(target.upper[d] - moving.lower[d])) - 1;
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
