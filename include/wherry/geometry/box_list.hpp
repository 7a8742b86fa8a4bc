/// @file
/// Sets of points that are not rectangular, as lists of disjoint boxes. All functions are local.
///
///     const auto ring = wherry::difference(outer, inner);  // at most 2N boxes; halo cells: difference(grow(b, 1), b)
///     auto both = wherry::union_of<2>({left, right});      // the boxes may overlap
///     both = wherry::simplified(both);
///     const auto points = wherry::size(both);
///
/// To compute while an exchange is in flight, split the core into the cells that read no halo and the others:
///
///     const auto interior = wherry::grow(u.core(), -1);                 // needs no halo of width 1
///     compute(interior);                                                // between start and wait
///     for (const auto& rim : wherry::difference(u.core(), interior)) compute(rim);  // after wait
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

/// Disjoint boxes, none of them empty. In the worst case, an operation on two lists costs the product of their lengths.
template <int N> using box_list = std::vector<box<N>>;

/// The points of `a` that are not in `b`, as at most 2N disjoint boxes. The box is cut along the last dimension first,
/// so that the parts are long in dimension 0.
template <int N> box_list<N> difference(box<N> a, const box<N>& b) {
  box_list<N> result;
  if (a.empty()) return result;
  if (!intersects(a, b)) return {a};
  for (int dimension = N - 1; dimension >= 0; --dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    if (a.lower[d] < b.lower[d]) {
      box<N> below = a;
      below.upper[d] = a.lower[d] = b.lower[d];
      result.push_back(below);
    }
    if (a.upper[d] > b.upper[d]) {
      box<N> above = a;
      above.lower[d] = a.upper[d] = b.upper[d];
      result.push_back(above);
    }
  }
  return result;
}

/// The points of the list that are not in `b`.
template <int N> box_list<N> difference(const box_list<N>& list, const box<N>& b) {
  box_list<N> result;
  for (const auto& a : list)
    for (const auto& part : difference(a, b)) result.push_back(part);
  return result;
}
template <int N> box_list<N> difference(box_list<N> a, const box_list<N>& b) {
  for (const auto& taken : b) a = difference(a, taken);
  return a;
}

/// The points of all `boxes`, which may overlap or be empty, as disjoint boxes.
template <int N> box_list<N> union_of(const std::vector<box<N>>& boxes) {
  box_list<N> result;
  for (const auto& b : boxes) {
    if (b.empty()) continue;
    const auto parts = difference(box_list<N>{b}, result);
    result.insert(result.end(), parts.begin(), parts.end());
  }
  return result;
}
template <int N> box_list<N> union_of(const box<N>& a, const box<N>& b) { return union_of(std::vector<box<N>>{a, b}); }

/// The points that are in both.
template <int N> box_list<N> intersection(const box_list<N>& a, const box<N>& b) {
  box_list<N> result;
  for (const auto& part : a)
    if (const auto common = intersection(part, b); !common.empty()) result.push_back(common);
  return result;
}
template <int N> box_list<N> intersection(const box_list<N>& a, const box_list<N>& b) {
  box_list<N> result;
  for (const auto& part : b)
    for (const auto& common : intersection(a, part)) result.push_back(common);
  return result;
}

/// The points of `whole` that are not in the list.
template <int N> box_list<N> complement(const box_list<N>& list, const box<N>& whole) {
  return difference(whole.empty() ? box_list<N>{} : box_list<N>{whole}, list);
}

/// The number of points. @throws error(argument) if an index_t cannot hold it
template <int N> index_t size(const box_list<N>& list) {
  index_t count = 0;
  for (const auto& b : list) count = detail::checked{"size", "number of points"}.sum(count, b.size());
  return count;
}

/// The same points in fewer boxes: boxes that together form one box are joined until no two boxes can be joined. The
/// cost is near linear, because after sorting by cross-section, boxes that can be joined along a dimension are
/// neighbours in the list. The order of the result is not specified.
template <int N> box_list<N> simplified(box_list<N> list) {
  const auto cross_section = [](box<N> b, std::size_t along) {
    b.lower[along] = b.upper[along] = 0;
    return std::pair(b.lower, b.upper);
  };
  std::size_t unchanged = 0;  // dimensions since the last one along which boxes were joined
  for (std::size_t along = 0; unchanged < N; along = (along + 1) % N, ++unchanged) {
    std::sort(list.begin(), list.end(), [&](const box<N>& a, const box<N>& b) {
      return std::pair(cross_section(a, along), a.lower[along]) < std::pair(cross_section(b, along), b.lower[along]);
    });
    box_list<N> joined;
    for (const auto& b : list)
      if (!joined.empty() && joined.back().upper[along] == b.lower[along] &&
          cross_section(joined.back(), along) == cross_section(b, along))
        joined.back().upper[along] = b.upper[along];
      else
        joined.push_back(b);
    if (joined.size() < list.size()) unchanged = 0;
    list = std::move(joined);
  }
  return list;
}

}  // namespace wherry
