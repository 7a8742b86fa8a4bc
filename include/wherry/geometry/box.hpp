/// @file
/// A rectangular set of points: KeLP's Region (KeLP, section 2). All functions are local.
///
///     const auto cells = wherry::box_of_extents<2>({100, 50});                           // 0 <= x < 100 and 0 <= y <
///     50 const auto strip = intersection(cells, wherry::shift(cells, {-90, 0}));  // 0 <= x < 10
///     wherry::for_each_point(strip, [&](const wherry::point<2>& p) { sum += u[p]; });
///
/// `box_calculus.hpp` has the operations that make boxes from boxes, and `box_list.hpp` has sets that are not
/// rectangular.
#pragma once

#include <concepts>

#include "wherry/core/checked.hpp"
#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/point.hpp"

namespace wherry {

/// All points p with `lower[d] <= p[d] < upper[d]` in every dimension d. The box is empty if it is empty in any
/// dimension.
template <int N> struct box {
  point<N> lower{}, upper{};

  /// The number of points along one dimension. @throws error(argument) if an index_t cannot hold it
  constexpr index_t extent(int dimension) const {
    const auto d = static_cast<std::size_t>(dimension);
    if (upper[d] <= lower[d]) return 0;
    return detail::checked{"box", "extent"}.difference(upper[d], lower[d]);
  }
  constexpr point<N> extents() const {
    point<N> result{};
    for (int d = 0; d < N; ++d) result[static_cast<std::size_t>(d)] = extent(d);
    return result;
  }
  /// The number of points. @throws error(argument) if an index_t cannot hold it
  constexpr index_t size() const {
    if (empty()) return 0;
    index_t count = 1;
    for (int d = 0; d < N; ++d) count = detail::checked{"box", "number of points"}.product(count, extent(d));
    return count;
  }
  /// True if the box has no point. Unlike `size`, it works for boxes of any size.
  constexpr bool empty() const {
    for (std::size_t d = 0; d < N; ++d)
      if (upper[d] <= lower[d]) return true;
    return false;
  }

  constexpr bool contains(const point<N>& p) const {
    for (std::size_t d = 0; d < N; ++d)
      if (p[d] < lower[d] || p[d] >= upper[d]) return false;
    return true;
  }

  /// True if every point of `other` is in this box; in particular if `other` is empty. (It is a template so that `{i,
  /// j, k}` is taken for a point.)
  constexpr bool contains(const std::same_as<box> auto& other) const {
    if (other.empty()) return true;
    for (std::size_t d = 0; d < N; ++d)
      if (other.lower[d] < lower[d] || other.upper[d] > upper[d]) return false;
    return true;
  }

  /// All empty boxes are equal, because they are the same set of points.
  friend constexpr bool operator==(const box& a, const box& b) {
    return (a.empty() && b.empty()) || (a.lower == b.lower && a.upper == b.upper);
  }
};

/// The box of all points from 0 to `extents`, which is excluded.
template <int N> constexpr box<N> box_of_extents(const point<N>& extents) { return {point<N>{}, extents}; }

template <int N> constexpr box<N> intersection(const box<N>& a, const box<N>& b) {
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = detail::most(a.lower[d], b.lower[d]);
    result.upper[d] = detail::least(a.upper[d], b.upper[d]);
  }
  return result;
}

/// `b` moved by `offset`. @throws error(argument) if a corner does not fit an index_t
template <int N> constexpr box<N> shift(box<N> b, const point<N>& offset) {
  for (std::size_t d = 0; d < N; ++d) {
    constexpr detail::checked corner{"shift", "corner of the box"};
    b.lower[d] = corner.sum(b.lower[d], offset[d]);
    b.upper[d] = corner.sum(b.upper[d], offset[d]);
  }
  return b;
}

/// `b` with `below` more points on each low side and `above` more on each high side. Negative counts shrink it. An
/// empty box stays empty. @throws error(argument) if a corner does not fit an index_t
template <int N> constexpr box<N> grow(box<N> b, const point<N>& below, const point<N>& above) {
  if (b.empty()) return b;
  for (std::size_t d = 0; d < N; ++d) {
    constexpr detail::checked corner{"grow", "corner of the box"};
    b.lower[d] = corner.difference(b.lower[d], below[d]);
    b.upper[d] = corner.sum(b.upper[d], above[d]);
  }
  return b;
}

/// `b` grown by the same number of points on all sides: KeLP's grow(R, n) (KeLP, figure 2).
template <int N> constexpr box<N> grow(const box<N>& b, index_t everywhere) {
  return grow<N>(b, filled<N>(everywhere), filled<N>(everywhere));
}

/// Calls `visit(p)` for every point of the box. Dimension 0 varies fastest.
template <int N, class Visit> constexpr void for_each_point(const box<N>& b, Visit&& visit) {
  if (b.empty()) return;
  point<N> p = b.lower;
  for (;;) {
    visit(static_cast<const point<N>&>(p));
    std::size_t d = 0;
    while (d < N && ++p[d] == b.upper[d]) {
      p[d] = b.lower[d];
      ++d;
    }
    if (d == N) return;
  }
}

}  // namespace wherry
