// The calculus of boxes by the C interface, against sets of points.
#include <algorithm>
#include <cstdint>
#include <set>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;
using points = std::set<coordinates>;

points points_of(const wherry_box& cells) {
  points result;
  for_points(cells, [&](const coordinates& p) { result.insert(p); });
  return result;
}
/// The points of disjoint boxes.
points points_of(const std::vector<wherry_box>& boxes) {
  points result;
  std::size_t size = 0;
  for (const auto& one : boxes) {
    const auto more = points_of(one);
    CHECK(!more.empty());
    size += more.size();
    result.insert(more.begin(), more.end());
  }
  CHECK_EQUAL(size, result.size());
  return result;
}
template <class Ask> std::vector<wherry_box> list_of(Ask&& ask) {
  int count = -1;
  succeeds(ask(0, nullptr, &count));
  std::vector<wherry_box> result(static_cast<std::size_t>(count));
  int again = -1;
  succeeds(ask(count, result.data(), &again));
  CHECK_EQUAL(again, count);
  return result;
}
points minus(const points& a, const points& b) {
  points result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}
points both(const points& a, const points& b) { return minus(a, minus(a, b)); }
points moved(const points& all, const std::vector<coordinates>& by) {
  points result;
  for (const auto& p : all)
    for (const auto& step : by) {
      auto q = p;
      for (std::size_t d = 0; d < q.size(); ++d) q[d] += step[d];
      result.insert(q);
    }
  return result;
}
template <class Visit> points changed(const points& all, Visit&& visit) {
  points result;
  for (auto p : all) {
    for (std::size_t d = 0; d < p.size(); ++d) p[d] = visit(p[d], d);
    result.insert(p);
  }
  return result;
}
std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  while (a % b != 0) --a;
  return a / b;
}

}  // namespace

WHERRY_TEST(boxes_are_sets_of_points, ranks(1)) {
  std::mt19937_64 random(test.seed);
  constexpr int cases = 150;
  for (int number = 0; number < cases; ++number) {
    const int n = draw(random, 1, 3);
    const auto a = random_box(random, n, -1, 5), b = random_box(random, n, 0, 5);
    const auto in_a = points_of(a), in_b = points_of(b);
    std::int64_t size = -1;
    int answer = -1;
    succeeds(wherry_box_size(a, &size));
    CHECK_EQUAL(size, static_cast<std::int64_t>(in_a.size()));
    succeeds(wherry_box_is_empty(a, &answer));
    CHECK_EQUAL(answer, in_a.empty() ? 1 : 0);
    succeeds(wherry_box_contains(a, b, &answer));
    CHECK_EQUAL(answer, minus(in_b, in_a).empty() ? 1 : 0);
    succeeds(wherry_box_intersects(a, b, &answer));
    CHECK_EQUAL(answer, both(in_a, in_b).empty() ? 0 : 1);
    succeeds(wherry_box_equals(a, b, &answer));
    CHECK_EQUAL(answer, in_a == in_b ? 1 : 0);
    succeeds(wherry_box_contains_point(a, b.lower, &answer));
    CHECK_EQUAL(answer, is_inside(a, coordinates(b.lower, b.lower + n)) ? 1 : 0);
    wherry_box out{};
    succeeds(wherry_box_intersection(a, b, &out));
    CHECK(points_of(out) == both(in_a, in_b));
    succeeds(wherry_box_bounding(a, b, &out));
    CHECK(minus(in_a, points_of(out)).empty() && minus(in_b, points_of(out)).empty());
    std::int64_t offset[6], ratio[6], extents[6];
    for (int d = 0; d < n; ++d) offset[d] = draw(random, -4, 4), ratio[d] = draw(random, 1, 3);
    succeeds(wherry_box_extents(a, extents));
    CHECK_EQUAL(extents[0], std::max<std::int64_t>(0, a.upper[0] - a.lower[0]));
    succeeds(wherry_box_shift(a, offset, &out));
    CHECK(points_of(out) == moved(in_a, {coordinates(offset, offset + n)}));
    succeeds(wherry_box_grow(a, 1, &out));
    std::vector<coordinates> around{coordinates{}};
    for (int d = 0; d < n; ++d) {
      std::vector<coordinates> longer;
      for (auto step : around)
        for (int x = -1; x <= 1; ++x) step.push_back(x), longer.push_back(step), step.pop_back();
      around = longer;
    }
    CHECK(points_of(out) == moved(in_a, around));
    const std::int64_t none[6] = {}, one[6] = {1, 1, 1, 1, 1, 1};
    succeeds(wherry_box_grow_sides(a, none, one, &out));
    std::erase_if(around, [](const coordinates& s) { return std::count(s.begin(), s.end(), -1) > 0; });
    CHECK(points_of(out) == moved(in_a, around));
    const int planes[6] = {1, 1, 1, 1, 1, 1};
    wherry_box values{};
    succeeds(wherry_box_values(a, planes, &values));
    CHECK(points_of(values) == points_of(out));
    succeeds(wherry_box_coarsen(a, ratio, &out));
    CHECK(points_of(out) == changed(in_a, [&](auto x, auto d) { return floor_of(x, ratio[d]); }));
    wherry_box fine{};
    succeeds(wherry_box_refine(out, ratio, &fine));
    CHECK(changed(points_of(fine), [&](auto x, auto d) { return floor_of(x, ratio[d]); }) == points_of(out));
    const int dimension = draw(random, 0, n - 1);
    succeeds(wherry_box_inner_layers(a, dimension, -1, 1, &out));
    for (const auto& p : points_of(out))
      CHECK(in_a.contains(p) && p[static_cast<std::size_t>(dimension)] == a.lower[dimension]);
    succeeds(wherry_box_outer_layers(a, dimension, 1, 1, &out));
    CHECK_EQUAL(points_of(out).empty(), in_a.empty());
    for (const auto& p : points_of(out)) CHECK_EQUAL(p[static_cast<std::size_t>(dimension)], a.upper[dimension]);

    wherry_box parts[WHERRY_MAX_BOX_PARTS];
    int count = -1;
    succeeds(wherry_box_difference(a, b, parts, &count));
    CHECK(points_of(std::vector<wherry_box>(parts, parts + count)) == minus(in_a, in_b));
    // Lists.
    const wherry_box several[] = {a, b, random_box(random, n, 0, 4)};
    const auto all = list_of(
        [&](int room, wherry_box* into, int* found) { return wherry_boxes_union(3, several, room, into, found); });
    auto in_all = in_a;
    for (const auto& more : {b, several[2]})
      for (const auto& p : points_of(more)) in_all.insert(p);
    CHECK(points_of(all) == in_all);
    const int all_count = static_cast<int>(all.size());
    succeeds(wherry_boxes_size(all_count, all.data(), &size));
    CHECK_EQUAL(size, static_cast<std::int64_t>(in_all.size()));
    CHECK(points_of(list_of([&](int room, wherry_box* into, int* found) {
            return wherry_boxes_simplified(all_count, all.data(), room, into, found);
          })) == in_all);
    CHECK(points_of(list_of([&](int room, wherry_box* into, int* found) {
            return wherry_boxes_difference(all_count, all.data(), 1, &b, room, into, found);
          })) == minus(in_all, in_b));
    CHECK(points_of(list_of([&](int room, wherry_box* into, int* found) {
            return wherry_boxes_intersection(all_count, all.data(), 1, &b, room, into, found);
          })) == both(in_all, in_b));
    const auto around_all = random_box(random, n, 3, 3);
    CHECK(points_of(list_of([&](int room, wherry_box* into, int* found) {
            return wherry_boxes_complement(all_count, all.data(), around_all, room, into, found);
          })) == minus(points_of(around_all), in_all));
    CHECK(points_of(list_of([&](int room, wherry_box* into, int* found) {
            return wherry_boxes_complement(1, &a, b, room, into, found);
          })) == minus(in_b, in_a));
    // Domains.
    const auto space = random_domain(random, random_box(random, n, 1, 4));
    coordinates image(static_cast<std::size_t>(n));
    succeeds(wherry_domain_wrapped(&space, offset, image.data()));
    CHECK(image == wrapped(space, coordinates(offset, offset + n)));
    wherry_domain finer{};
    succeeds(wherry_domain_refine(&space, ratio, &finer));
    CHECK_EQUAL(finer.cells.upper[0], space.cells.upper[0] * ratio[0]);
    CHECK_EQUAL(finer.periodic[0], space.periodic[0]);
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(wrong_boxes_are_errors, ranks(1)) {
  const std::int64_t far[2] = {INT64_MAX, 1};
  const auto two = wherry_make_box(2, nullptr, far);
  wherry_box three{}, out{};
  three.dimensions = 3;
  int answer = 0;
  std::int64_t size = 0;
  fails("no dimensions", wherry_box_size(wherry_box{}, &size), WHERRY_ERROR_ARGUMENT, "'box' has 0 dimensions");
  wherry_box many{};
  many.dimensions = 7;
  fails("seven dimensions", wherry_box_size(many, &size), WHERRY_ERROR_ARGUMENT,
        "wherry_box_size: 'box' has 7 dimensions, expected 1 to 6");
  fails("two and three", wherry_box_intersection(two, three, &out), WHERRY_ERROR_ARGUMENT,
        "'b' has 3 dimensions, expected 2");
  fails("no result", wherry_box_intersection(two, two, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("no offset", wherry_box_shift(two, nullptr, &out), WHERRY_ERROR_ARGUMENT, "'offset' is NULL");
  fails("too far", wherry_box_shift(two, far, &out), WHERRY_ERROR_ARGUMENT, "corner of the box");
  const std::int64_t ratio[2] = {2, 0};
  fails("ratio", wherry_box_coarsen(two, ratio, &out), WHERRY_ERROR_ARGUMENT, "'ratio' has the number 0");
  fails("dimension", wherry_box_inner_layers(two, 2, 1, 1, &out), WHERRY_ERROR_ARGUMENT, "'dimension' is 2");
  fails("side", wherry_box_inner_layers(two, 1, 0, 1, &out), WHERRY_ERROR_ARGUMENT, "'side' is 0");
  fails("no point", wherry_box_contains_point(two, nullptr, &answer), WHERRY_ERROR_ARGUMENT, "'point' is NULL");
  const wherry_box mixed[2] = {two, three};
  fails("mixed", wherry_boxes_union(2, mixed, 0, nullptr, &answer), WHERRY_ERROR_ARGUMENT,
        "box 1 of 'boxes' has 3 dimensions");
  fails("negative", wherry_boxes_union(-1, mixed, 0, nullptr, &answer), WHERRY_ERROR_ARGUMENT, "is -1");
  fails("null list", wherry_boxes_union(2, nullptr, 0, nullptr, &answer), WHERRY_ERROR_ARGUMENT, "'boxes' is NULL");
  fails("capacity", wherry_boxes_union(1, mixed, -1, nullptr, &answer), WHERRY_ERROR_ARGUMENT, "'capacity' is -1");
  fails("no room", wherry_boxes_union(1, mixed, 1, nullptr, &answer), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("no count", wherry_boxes_union(1, mixed, 0, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "'count' is NULL");
  succeeds(wherry_boxes_union(0, nullptr, 0, nullptr, &answer));
  CHECK_EQUAL(answer, 0);
  fails("no domain", wherry_domain_wrapped(nullptr, far, nullptr), WHERRY_ERROR_ARGUMENT, "'space' is NULL");
}
