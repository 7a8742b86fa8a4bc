// The laws of the region calculus for single boxes, in 1 to 6 dimensions, against sets of points.
#include <algorithm>

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry_test::random_numbers;

namespace {

template <int N> point<N> plus(point<N> p, const point<N>& q) {
  for (std::size_t d = 0; d < N; ++d) p[d] += q[d];
  return p;
}
template <int N> point<N> negative(point<N> p) {
  for (auto& x : p) x = -x;
  return p;
}

// The set grown by `steps` cells along one dimension, to one side, or, for negative steps, shrunk.
template <int N> point_set<N> stretched(const point_set<N>& set, std::size_t dimension, index_t side, index_t steps) {
  auto result = set;
  for (index_t k = 1; k <= std::abs(steps); ++k) {
    const auto moved = mapped<N>(result, [&](point<N> p) {
      p[dimension] += steps > 0 ? side : -side;
      return p;
    });
    result = steps > 0 ? either<N>(result, moved) : both<N>(result, moved);
  }
  return result;
}

index_t rounded_down(index_t value, index_t divisor) {
  index_t quotient = 0;
  while (quotient * divisor > value) --quotient;
  while ((quotient + 1) * divisor <= value) ++quotient;
  return quotient;
}

}  // namespace

WHERRY_UNIT_TEST(boxes_and_points) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random), c = random_box<N>(random);
    const auto points = points_of(b), others = points_of(c);
    CHECK_EQUAL(b.size(), points.size());
    CHECK_EQUAL(b.empty(), points.empty());
    CHECK_EQUAL(b == c, points == others);
    CHECK(b == b);
    CHECK_EQUAL(b.contains(c), is_subset<N>(others, points));
    for (int k = 0; k < 20; ++k) {
      const auto p = random_point<N>(random, -reach<N> - 1, 2 * reach<N>);
      CHECK_EQUAL(b.contains(p), has<N>(points, p));
    }
    for (const auto& p : points) CHECK(b.contains(p));
  });
}

WHERRY_UNIT_TEST(iteration_visits_every_point_once_dimension_0_fastest) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random);
    point_set<N> seen;
    for_each_point(b, [&](const point<N>& p) {
      point<N> slowest_first = p;
      std::reverse(slowest_first.begin(), slowest_first.end());
      CHECK(seen.empty() || seen.back() < slowest_first);
      seen.push_back(slowest_first);
    });
    for (auto& p : seen) std::reverse(p.begin(), p.end());
    CHECK(sorted<N>(seen) == points_of(b));
    CHECK_EQUAL(seen.size(), b.size());
  });
}

WHERRY_UNIT_TEST(intersection_and_bounding_box) {
  for_all_dimensions(test, 100, []<int N>(random_numbers& random) {
    const auto a = random_box<N>(random), b = random_box<N>(random), c = random_box<N>(random);
    const auto common = both<N>(points_of(a), points_of(b));
    CHECK(points_of(intersection(a, b)) == common);
    CHECK_EQUAL(intersects(a, b), !common.empty());
    CHECK(intersection(a, b) == intersection(b, a));
    CHECK(intersection(a, a) == a);
    CHECK(intersection(intersection(a, b), c) == intersection(a, intersection(b, c)));
    // The least of all boxes that contain both: every side is touched.
    const auto all = either<N>(points_of(a), points_of(b));
    box<N> least;
    for (std::size_t d = 0; d < N && !all.empty(); ++d) {
      const auto by_d = [d](const point<N>& p, const point<N>& q) { return p[d] < q[d]; };
      least.lower[d] = (*std::min_element(all.begin(), all.end(), by_d))[d];
      least.upper[d] = (*std::max_element(all.begin(), all.end(), by_d))[d] + 1;
    }
    CHECK(bounding_box(a, b) == least);
    CHECK(bounding_box(a, b) == bounding_box(b, a));
    CHECK(bounding_box(a, b).contains(a));
  });
}

WHERRY_UNIT_TEST(shift_and_grow) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random);
    const auto offset = random_point<N>(random, -4, 4);
    const auto moved = mapped<N>(points_of(b), [&](const point<N>& p) { return plus<N>(p, offset); });
    CHECK(points_of(shift<N>(b, offset)) == moved);
    CHECK(shift<N>(shift<N>(b, offset), negative<N>(offset)) == b);

    const auto below = random_point<N>(random, -2, 2), above = random_point<N>(random, -2, 2);
    auto grown = points_of(b);
    for (std::size_t d = 0; d < N; ++d)
      for (const bool growing : {true, false}) {
        if ((below[d] > 0) == growing) grown = stretched<N>(grown, d, -1, below[d]);
        if ((above[d] > 0) == growing) grown = stretched<N>(grown, d, +1, above[d]);
      }
    CHECK(points_of(grow<N>(b, below, above)) == grown);
    CHECK(grow(b, 1) == grow<N>(b, wherry::filled<N>(1), wherry::filled<N>(1)));
    CHECK(grow(grow(b, 2), -2) == b);
    CHECK(b.contains(grow(b, -1)) && grow(b, 1).contains(b));
  });
}

WHERRY_UNIT_TEST(coarsen_and_refine) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random);
    const auto ratio = random_point<N>(random, 1, N <= 3 ? 4 : 2);
    const auto parent = [&](point<N> p) {
      for (std::size_t d = 0; d < N; ++d) p[d] = rounded_down(p[d], ratio[d]);
      return p;
    };
    const auto coarse = coarsen<N>(b, ratio), fine = refine<N>(b, ratio);
    CHECK(points_of(coarse) == mapped<N>(points_of(b), parent));
    index_t children = b.size();
    for (const auto r : ratio) children *= r;
    CHECK_EQUAL(fine.size(), children);
    for_each_point(fine, [&](const point<N>& p) { CHECK(b.contains(parent(p))); });
    CHECK(coarsen<N>(fine, ratio) == b);
    CHECK(refine<N>(coarse, ratio).contains(b));
    CHECK(coarsen(b, 2) == coarsen<N>(b, wherry::filled<N>(2)));
    CHECK(refine(b, 2) == refine<N>(b, wherry::filled<N>(2)));
  });
}

WHERRY_UNIT_TEST(layers_beside_a_face) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random);
    const int dimension = random.between(0, N - 1), side = random.one_of({-1, 1}), width = random.between(0, 4);
    const auto d = static_cast<std::size_t>(dimension);
    point_set<N> inner;
    for (const auto& p : points_of(b))
      if (side < 0 ? p[d] < b.lower[d] + width : p[d] >= b.upper[d] - width) inner.push_back(p);
    CHECK(points_of(inner_layers(b, dimension, side, width)) == inner);
    const auto outer = without<N>(stretched<N>(points_of(b), d, side, width), points_of(b));
    CHECK(points_of(outer_layers(b, dimension, side, width)) == outer);
  });
}

// Whatever an empty box's corners are, it is the empty set.
WHERRY_UNIT_TEST(empty_boxes_are_the_empty_set_everywhere) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    auto nothing = random_box<N>(random);
    const auto d = static_cast<std::size_t>(random.between(0, N - 1));
    nothing.upper[d] = nothing.lower[d] - random.between(0, 3);
    const auto b = random_box<N>(random);
    const auto offset = random_point<N>(random, -3, 3), ratio = random_point<N>(random, 1, 3);
    CHECK(nothing.empty() && nothing.size() == 0 && nothing == box<N>{});
    CHECK(intersection(b, nothing).empty() && intersection(nothing, b).empty() && !intersects(b, nothing));
    CHECK(bounding_box(b, nothing) == b && bounding_box(nothing, b) == b);
    CHECK(b.contains(nothing) && nothing.contains(nothing) && (nothing.contains(b) == b.empty()));
    CHECK(shift<N>(nothing, offset).empty());
    CHECK(grow(nothing, 5).empty() && grow(nothing, -5).empty() && grow<N>(nothing, ratio, ratio).empty());
    CHECK(coarsen<N>(nothing, ratio).empty() && refine<N>(nothing, ratio).empty());
    for (const int side : {-1, 1})
      for (int k = 0; k < N; ++k)
        CHECK(inner_layers(nothing, k, side, 3).empty() && outer_layers(nothing, k, side, 3).empty());
    CHECK(difference(nothing, b).empty() && points_of(difference(b, nothing)) == points_of(b));
    CHECK(points_of(wherry::union_of(b, nothing)) == points_of(b) && wherry::union_of(nothing, nothing).empty());
    CHECK(complement({}, nothing).empty());
    for_each_point(nothing, [](const point<N>&) { FAIL("a point of the empty set"); });
  });
}
