// The oracle of the region calculus: sets of points, one by one, from nothing but the definitions.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/geometry/box_list.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

namespace point_sets {

using wherry::box;
using wherry::index_t;
using wherry::point;

// Ascending, each once.
template <int N> using point_set = std::vector<point<N>>;

template <int N> point_set<N> sorted(point_set<N> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// All p with lower <= p < upper, a dimension at a time.
template <int N> point_set<N> points_of(const box<N>& b) {
  point_set<N> points{point<N>{}};
  for (std::size_t d = 0; d < N; ++d) {
    point_set<N> longer;
    for (auto p : points)
      for (p[d] = b.lower[d]; p[d] < b.upper[d]; ++p[d]) longer.push_back(p);
    points = std::move(longer);
  }
  return sorted<N>(std::move(points));
}

template <int N> point_set<N> points_of(const std::vector<box<N>>& list) {
  point_set<N> points;
  for (const auto& b : list)
    for (const auto& p : points_of(b)) points.push_back(p);
  return sorted<N>(std::move(points));
}

template <int N> point_set<N> both(const point_set<N>& a, const point_set<N>& b) {
  point_set<N> result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}
template <int N> point_set<N> either(const point_set<N>& a, const point_set<N>& b) {
  point_set<N> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}
template <int N> point_set<N> without(const point_set<N>& a, const point_set<N>& b) {
  point_set<N> result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

template <int N> bool has(const point_set<N>& set, const point<N>& p) {
  return std::binary_search(set.begin(), set.end(), p);
}
template <int N> bool is_subset(const point_set<N>& inner, const point_set<N>& outer) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

// The images of all points.
template <int N, class Change> point_set<N> mapped(const point_set<N>& set, Change change) {
  point_set<N> result;
  for (const auto& p : set) result.push_back(change(p));
  return sorted<N>(std::move(result));
}

// Fewer cells a side with more dimensions, so that a set has some hundreds of points at most.
template <int N> constexpr int reach = N <= 2 ? 8 : N == 3 ? 5 : N == 4 ? 4 : 3;

template <int N> point<N> random_point(wherry_test::random_numbers& random, int least, int most) {
  point<N> p{};
  for (auto& x : p) x = random.between(least, most);
  return p;
}

// One in five is empty, some of those inside out.
template <int N> box<N> random_box(wherry_test::random_numbers& random) {
  box<N> b;
  b.lower = random_point<N>(random, -reach<N>, reach<N> - 1);
  for (std::size_t d = 0; d < N; ++d) b.upper[d] = b.lower[d] + random.between(1, reach<N>);
  if (random.chance(20)) {
    const auto d = static_cast<std::size_t>(random.between(0, N - 1));
    b.upper[d] = b.lower[d] - random.between(0, 2);
  }
  return b;
}

// Calls `law.template operator()<N>(random)` for each number of dimensions, `turns` times each.
template <class Law> void for_all_dimensions(wherry_test::context& test, int turns, Law law) {
  const auto in = [&]<int N>(std::integral_constant<int, N>) {
    for (int n = 0; n < turns; ++n) {
      test.note(wherry::detail::text(N, " dimensions, case ", n, " of seed ", test.seed));
      wherry_test::random_numbers random(wherry_test::hash(test.seed, N, n));
      law.template operator()<N>(random);
    }
  };
  [&]<int... Ns>(std::integer_sequence<int, Ns...>) {
    (in(std::integral_constant<int, Ns + 1>{}), ...);
  }(std::make_integer_sequence<int, 6>{});
}

}  // namespace point_sets
