// The laws of the region calculus for lists of boxes, in 1 to 6 dimensions, against sets of points.
#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry_test::random_numbers;

namespace {

template <int N> std::vector<box<N>> random_boxes(random_numbers& random, int most) {
  std::vector<box<N>> boxes(static_cast<std::size_t>(random.between(0, most)));
  for (auto& b : boxes) b = random_box<N>(random);
  return boxes;
}

// What a box list promises: no point twice, no empty box.
template <int N> bool proper(const wherry::box_list<N>& list) {
  index_t points = 0;
  for (const auto& b : list) {
    if (b.empty()) return false;
    points += b.size();
  }
  return points == static_cast<index_t>(points_of(list).size());
}

template <int N> bool is(const wherry::box_list<N>& list, const point_set<N>& expected) {
  return proper(list) && points_of(list) == expected;
}

template <int N> bool make_one_box(const box<N>& a, const box<N>& b) {
  return bounding_box(a, b).size() == a.size() + b.size();
}

}  // namespace

WHERRY_UNIT_TEST(difference_of_boxes) {
  for_all_dimensions(test, 60, []<int N>(random_numbers& random) {
    const auto a = random_box<N>(random), b = random_box<N>(random);
    const auto parts = difference(a, b);
    CHECK(is<N>(parts, without<N>(points_of(a), points_of(b))));
    CHECK(parts.size() <= 2 * N);
    CHECK(difference(a, a).empty());
  });
}

WHERRY_UNIT_TEST(operations_on_lists) {
  for_all_dimensions(test, 25, []<int N>(random_numbers& random) {
    const auto some = random_boxes<N>(random, 4), others = random_boxes<N>(random, 4);
    const auto a = wherry::union_of(some), b = wherry::union_of(others);
    const auto whole = random_box<N>(random);
    const auto A = points_of(some), B = points_of(others), W = points_of(whole);
    CHECK(is<N>(a, A));
    CHECK_EQUAL(size(a), A.size());
    CHECK(is<N>(difference(a, whole), without<N>(A, W)));
    CHECK(is<N>(difference(a, b), without<N>(A, B)));
    CHECK(is<N>(intersection(a, whole), both<N>(A, W)));
    CHECK(is<N>(intersection(a, b), both<N>(A, B)));
    CHECK(is<N>(complement(a, whole), without<N>(W, A)));
    // De Morgan, and what is taken away twice is gone once.
    const auto outside_both = intersection(complement(a, whole), complement(b, whole));
    auto all = some;
    all.insert(all.end(), others.begin(), others.end());
    CHECK(points_of(outside_both) == points_of(complement(wherry::union_of(all), whole)));
    CHECK(is<N>(difference(difference(a, b), b), without<N>(A, B)));
    CHECK(is<N>(complement(complement(a, whole), whole), both<N>(A, W)));
  });
}

WHERRY_UNIT_TEST(shells) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto b = random_box<N>(random);
    const auto points = points_of(b);
    const auto below = random_point<N>(random, 0, 2), above = random_point<N>(random, 0, 2);
    const auto near_boundary = [&](const point<N>& p) {
      for (std::size_t d = 0; d < N; ++d)
        if (p[d] < b.lower[d] + below[d] || p[d] >= b.upper[d] - above[d]) return true;
      return false;
    };
    point_set<N> shell;
    std::copy_if(points.begin(), points.end(), std::back_inserter(shell), near_boundary);
    point<N> less_below{}, less_above{};
    for (std::size_t d = 0; d < N; ++d) less_below[d] = -below[d], less_above[d] = -above[d];
    CHECK(is<N>(difference(b, grow<N>(b, less_below, less_above)), shell));
    CHECK(is<N>(difference(grow<N>(b, below, above), b), without<N>(points_of(grow<N>(b, below, above)), points)));
  });
}

WHERRY_UNIT_TEST(simplified_lists) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto list = wherry::union_of(random_boxes<N>(random, 4));
    const auto fewer = simplified(list);
    CHECK(is<N>(fewer, points_of(list)));
    CHECK(fewer.size() <= list.size());
    for (const auto& a : fewer)
      for (const auto& b : fewer) CHECK(&a == &b || !make_one_box(a, b));
  });
}

// A box cut up is one box again, however it was cut.
WHERRY_UNIT_TEST(simplified_puts_a_box_together) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    const box<N> whole = wherry::box_of_extents<N>(wherry::filled<N>(2));
    wherry::box_list<N> cells;
    for_each_point(whole, [&](const point<N>& p) {
      cells.push_back(shift<N>(wherry::box_of_extents<N>(wherry::filled<N>(1)), p));
    });
    random.shuffle(cells);
    CHECK((simplified(cells) == wherry::box_list<N>{whole}));
  });
}
