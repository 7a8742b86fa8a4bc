/// @file
/// The rest of KeLP's region calculus (paper 4, section 2 and figure 2): boxes from boxes. `intersection`, `shift` and
/// `grow` stand beside the box itself; what needs several boxes to be exact is in `box_list.hpp`. Empty boxes behave as
/// the empty set throughout.
#pragma once

#include <algorithm>

#include "wherry/geometry/box.hpp"

namespace wherry {

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

/// The quotient rounded towards minus infinity; `divisor` is positive.
constexpr index_t floor_divide(index_t value, index_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// The cells of a grid `ratio` times coarser that hold a cell of `fine`.
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

/// The cells of a grid `ratio` times finer that cover `coarse`. @throws error(argument) where a corner would not fit.
template <int N> constexpr box<N> refine(const box<N>& coarse, const point<N>& ratio) {
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    constexpr checked corner{"refine", "corner of the box"};
    result.lower[d] = corner.product(coarse.lower[d], ratio[d]);
    result.upper[d] = corner.product(coarse.upper[d], ratio[d]);
  }
  return result;
}
template <int N> constexpr box<N> refine(const box<N>& coarse, index_t ratio) {
  return refine<N>(coarse, filled<N>(ratio));
}

/// The `width` outermost layers of cells of `b` on one side of one dimension; `side` is -1 or +1.
template <int N> constexpr box<N> inner_layers(box<N> b, int dimension, int side, index_t width) {
  const auto d = static_cast<std::size_t>(dimension);
  constexpr checked layer{"inner_layers", "end of the layers"};
  if (side < 0)
    b.upper[d] = std::min(b.upper[d], layer.sum(b.lower[d], width));
  else
    b.lower[d] = std::max(b.lower[d], layer.difference(b.upper[d], width));
  return b;
}

/// The `width` layers of cells just outside `b` on one side of one dimension; empty for an empty box.
template <int N> constexpr box<N> outer_layers(box<N> b, int dimension, int side, index_t width) {
  if (b.empty()) return b;
  const auto d = static_cast<std::size_t>(dimension);
  constexpr checked layer{"outer_layers", "end of the layers"};
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
