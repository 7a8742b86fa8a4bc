/// @file
/// Sets of points as lists of disjoint boxes: the operations of the region calculus whose results are not boxes.
#pragma once

#include <utility>
#include <vector>

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

/// Boxes without a point in common, none of them empty. Operations on lists cost their product in the worst case.
template <int N> using box_list = std::vector<box<N>>;

/// The points of `a` that are not in `b`, as at most 2N disjoint boxes: slabs of the last dimension first, so that the
/// boxes are long in dimension 0.
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

/// Any boxes, overlapping or empty, as a list of disjoint ones of the same points.
template <int N> box_list<N> union_of(const std::vector<box<N>>& boxes) {
  box_list<N> result;
  for (const auto& b : boxes)
    for (const auto& part : difference(box_list<N>{b}, result)) result.push_back(part);
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

/// The cells of `b` within `width` cells of its boundary; all of it when it is thin.
template <int N> box_list<N> boundary_shell(const box<N>& b, index_t width) { return difference(b, grow(b, -width)); }
/// The cells outside `b` within `width` cells of it, corners included.
template <int N> box_list<N> halo_shell(const box<N>& b, index_t width) { return difference(grow(b, width), b); }

/// Number of points.
template <int N> index_t size(const box_list<N>& list) {
  index_t count = 0;
  for (const auto& b : list) count += b.size();
  return count;
}

/// Joins boxes that together make one box, until no two do.
template <int N> box_list<N> simplified(box_list<N> list) {
  const auto joined = [](const box<N>& a, const box<N>& b) {
    const auto both = bounding_box(a, b);
    return both.size() == a.size() + b.size() ? both : box<N>{};
  };
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (i == k) continue;
      const auto both = joined(list[i], list[k]);
      if (both.empty()) continue;
      list[std::min(i, k)] = both;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(std::max(i, k)));
      i = k = 0;
      --k;
    }
  return list;
}

}  // namespace wherry
