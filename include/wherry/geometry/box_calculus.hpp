/// @file
/// The part of KeLP's region calculus that makes boxes from boxes (KeLP, section 2 and figure 2). `intersection`,
/// `shift` and `grow` are in `box.hpp`; operations whose results are not boxes are in `box_list.hpp`. An empty box acts
/// as the empty set everywhere. All functions are local.
///
///     const auto coarse = wherry::coarsen(fine, 2);                   // the cells of half the resolution under `fine`
///     const auto beyond = wherry::outer_layers(fine, 0, +1, width);  // the halo above `fine` in dimension 0
///     const bool is_inside = whole.contains(wherry::bounding_box(fine, beyond));
#pragma once

#include <algorithm>

#include "wherry/geometry/box.hpp"

namespace wherry {

/// True if the two boxes have a point in common.
template <int N> constexpr bool intersects(const box<N>& a, const box<N>& b) { return !intersection(a, b).empty(); }

/// The smallest box that contains both.
template <int N> constexpr box<N> bounding_box(const box<N>& a, const box<N>& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = std::min(a.lower[d], b.lower[d]);
    result.upper[d] = std::max(a.upper[d], b.upper[d]);
  }
  return result;
}

/// The quotient, rounded towards minus infinity. `divisor` must be positive.
constexpr index_t floor_divide(index_t value, index_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// The coarse cells that contain at least one cell of `fine`. A coarse cell is `ratio` times as wide as a fine one.
template <int N> constexpr box<N> coarsen(const box<N>& fine, const point<N>& ratio) {
  if (fine.empty()) return {};
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = floor_divide(fine.lower[d], ratio[d]);
    result.upper[d] = floor_divide(fine.upper[d] - 1, ratio[d]) + 1;
  }
  return result;
}
template <int N> constexpr box<N> coarsen(const box<N>& fine, index_t ratio) {
  return coarsen<N>(fine, filled<N>(ratio));
}

/// The cells of a grid that is `ratio` times finer and that cover `coarse`. @throws error(argument) if a corner does
/// not fit an index_t
template <int N> constexpr box<N> refine(const box<N>& coarse, const point<N>& ratio) {
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    constexpr detail::checked corner{"refine", "corner of the box"};
    result.lower[d] = corner.product(coarse.lower[d], ratio[d]);
    result.upper[d] = corner.product(coarse.upper[d], ratio[d]);
  }
  return result;
}
template <int N> constexpr box<N> refine(const box<N>& coarse, index_t ratio) {
  return refine<N>(coarse, filled<N>(ratio));
}

/// The outermost `width` layers of cells of `b` on one side of one dimension. `side` is -1 (low) or +1 (high).
/// @throws error(argument) if the end of the layers does not fit an index_t
template <int N> constexpr box<N> inner_layers(box<N> b, int dimension, int side, index_t width) {
  const auto d = static_cast<std::size_t>(dimension);
  constexpr detail::checked layer{"inner_layers", "end of the layers"};
  if (side < 0)
    b.upper[d] = std::min(b.upper[d], layer.sum(b.lower[d], width));
  else
    b.lower[d] = std::max(b.lower[d], layer.difference(b.upper[d], width));
  return b;
}

/// The `width` layers of cells just outside of `b` on one side of one dimension; empty if `b` is empty.
/// @throws error(argument) if the end of the layers does not fit an index_t
template <int N> constexpr box<N> outer_layers(box<N> b, int dimension, int side, index_t width) {
  if (b.empty()) return b;
  const auto d = static_cast<std::size_t>(dimension);
  constexpr detail::checked layer{"outer_layers", "end of the layers"};
  if (side < 0) {
    b.upper[d] = b.lower[d];
    b.lower[d] = layer.difference(b.lower[d], width);
  } else {
    b.lower[d] = b.upper[d];
    b.upper[d] = layer.sum(b.upper[d], width);
  }
  return b;
}

}  // namespace wherry
