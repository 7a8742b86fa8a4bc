// Which box of a floor plan contains a point, against a look at every box.
#include <string>
#include <thread>
#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/motion/decompose.hpp"
#include "wherry/motion/floor_plan.hpp"

#include "harness/harness.hpp"
#include "support/disjoint_boxes.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::box;
using wherry::floor_plan;
using wherry::point;

namespace {

template <int N> point<N> random_point(random_numbers& random, int least, int most) {
  point<N> p;
  for (auto& x : p) x = random.between(least, most);
  return p;
}

template <int N> int first_around(const floor_plan<N>& plan, const point<N>& p) {
  for (int place = 0; place < plan.known(); ++place)
    if (plan.boxes()[static_cast<std::size_t>(place)].contains(p)) return plan.number_of(place);
  return -1;
}

template <int N> void compare(const floor_plan<N>& plan, const point<N>& p, const std::string& title) {
  const int expected = first_around(plan, p), found = plan.box_of(p);
  if (fault(found != expected))
    FAIL(title + ": box " + std::to_string(found) + " instead of " + std::to_string(expected));
  CHECK_EQUAL(plan.owner_of(p), expected < 0 ? -1 : plan.owner(expected));
}

constexpr int length = 40;

template <int N> floor_plan<N> random_plan(random_numbers& random) {
  std::vector<box<N>> boxes;
  if (random.chance(50)) {  // none overlaps another
    boxes.push_back(wherry::box_of_extents<N>(wherry::filled<N>(length)));
    cut_at_random<N>(random, boxes, random.between(0, 150));
    for (auto& b : boxes)
      if (random.chance(20)) b = {};
  } else {
    for (int i = random.between(0, 60); i > 0; --i) {
      auto& b = boxes.emplace_back(box<N>{random_point<N>(random, 0, length), {}});
      for (std::size_t d = 0; d < N; ++d) b.upper[d] = b.lower[d] + random.between(-1, random.chance(10) ? length : 4);
    }
  }
  wherry::owner_map owners;
  std::vector<int> numbers;
  int total = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    owners.push_back(random.between(0, 5));
    numbers.push_back(total += random.between(0, 2));
    ++total;
  }
  if (boxes.empty() || random.chance(50)) return {boxes, owners};
  return {total, numbers, boxes, owners};
}

template <int N> void compare_at_random(random_numbers& random, const std::string& title) {
  const auto plan = random_plan<N>(random);
  const auto torus = wherry::domain<N>::torus(wherry::box_of_extents<N>(wherry::filled<N>(length)));
  for (int i = 0; i < 50; ++i) {
    const auto p = random_point<N>(random, -length, 2 * length);
    compare(plan, p, title);
    compare(plan, torus.wrapped(p), title);
    compare(plan, random_point<N>(random, 0, length), title);
  }
}

}  // namespace

WHERRY_UNIT_TEST(points_in_random_plans) {
  for (int n = 0; n < 400; ++n) {
    random_numbers random(hash(test.seed, n));
    const auto title = "case " + std::to_string(n) + " of seed " + std::to_string(test.seed);
    compare_at_random<1>(random, title);
    compare_at_random<2>(random, title);
    compare_at_random<3>(random, title);
    compare_at_random<4>(random, title);
  }
}

// With so many boxes, a look at each of them for each point would take minutes.
WHERRY_UNIT_TEST(many_points_in_a_hundred_thousand_boxes) {
  random_numbers random(test.seed);
  const int cells = 600;
  std::vector<box<3>> boxes{wherry::box_of_extents<3>(wherry::filled<3>(cells))};
  while (boxes.size() <= 100'000) cut_at_random<3>(random, boxes, 1000);
  random.shuffle(boxes);
  const floor_plan<3> plan(boxes, wherry::owner_map(boxes.size(), 0));
  for (int i = 0; i < 100'000; ++i) {
    const auto p = random_point<3>(random, -1, cells);
    const int number = plan.box_of(p);
    const bool inside = wherry::box_of_extents<3>(wherry::filled<3>(cells)).contains(p);
    if (fault(inside != (number >= 0) || (inside && !plan[number].contains(p))))
      FAIL("point " + std::to_string(i) + " of seed " + std::to_string(test.seed) + " is not in box " +
           std::to_string(number));
  }
}

WHERRY_UNIT_TEST(a_changed_plan_knows_its_new_boxes) {
  const auto plan = wherry::even_blocks<2>({{0, 0}, {100, 100}}, {5, 5});
  for (const int questions : {1, 20}) {  // few, and so many that there is an index
    auto longer = plan;
    const auto ask = [questions](const floor_plan<2>& of, const point<2>& at) {
      for (int i = 1; i < questions; ++i) (void)of.box_of(at);
      return of.box_of(at);
    };
    CHECK_EQUAL(ask(longer, {99, 99}), 24);
    CHECK_EQUAL(ask(longer, {100, 99}), -1);
    longer.add({{100, 0}, {110, 100}}, 3);
    CHECK_EQUAL(ask(longer, {100, 99}), 25);
    CHECK_EQUAL(longer.owner_of({100, 99}), 3);
    CHECK_EQUAL(ask(plan, {100, 99}), -1);
    longer.add({{110, 0}, {120, 100}}, 4);  // in its own table
    CHECK_EQUAL(ask(longer, {119, 0}), 26);
    const auto moved = plan.transformed([](const box<2>& b) { return wherry::shift(b, {1000, 0}); });
    CHECK_EQUAL(ask(moved, {1099, 99}), 24);
    CHECK_EQUAL(ask(moved, {99, 99}), -1);
  }
}

WHERRY_UNIT_TEST(several_threads_ask_first) {
  for (int n = 0; n < 20; ++n) {
    const auto plan = wherry::even_blocks<2>({{0, 0}, {200, 200}}, {20, 20});
    std::vector<int> wrong(4);
    {
      std::vector<std::jthread> askers;
      for (std::size_t t = 0; t < wrong.size(); ++t)
        askers.emplace_back([&plan, &mine = wrong[t], t] {
          random_numbers random(t);
          for (int i = 0; i < 100; ++i) {
            const auto p = random_point<2>(random, 0, 199);
            mine += plan.box_of(p) == first_around(plan, p) ? 0 : 1;
          }
        });
    }
    CHECK_EQUAL(wrong, std::vector<int>(4));
  }
}
