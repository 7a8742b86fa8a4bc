// Floor plans, complete and partial, and motion plans as values.
#include <algorithm>

#include "wherry/motion/motions.hpp"

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry::floor_plan;
using wherry::motion_plan;
using wherry_test::random_numbers;

namespace {

template <int N> floor_plan<N> random_plan(random_numbers& random) {
  floor_plan<N> plan;
  for (int i = random.between(0, 12); i > 0; --i) plan.add(random_box<N>(random), random.between(0, 3));
  return plan;
}

// What a rank that knows only some boxes has of a complete plan.
template <int N> floor_plan<N> part_of(const floor_plan<N>& plan, const std::vector<int>& numbers) {
  std::vector<box<N>> boxes;
  std::vector<int> owners;
  for (const int number : numbers) {
    boxes.push_back(plan[number]);
    owners.push_back(plan.owner(number));
  }
  return {plan.size(), numbers, boxes, owners};
}

template <int N> motion_plan<N> random_motions(random_numbers& random) {
  motion_plan<N> plan;
  for (int k = random.between(0, 9); k > 0; --k) {
    wherry::motion<N> entry{
        random.between(0, 5), random.between(0, 5), random_box<N>(random), {}, wherry::same_axes<N>()};
    random.shuffle(entry.axes);
    for (std::size_t d = 0; d < N; ++d) {
      entry.destination.lower[d] = random.between(-5, 5);
      entry.destination.upper[d] = entry.destination.lower[d] + entry.source.extent(entry.axes[d]);
    }
    plan.add(entry);
  }
  return plan;
}

}  // namespace

WHERRY_UNIT_TEST(copies_share_their_boxes_until_one_is_added_to) {
  floor_plan<2> plan;
  plan.add({{0, 0}, {4, 4}}, 0);
  auto copy = plan;
  const auto moved = std::move(copy);
  CHECK(moved.boxes().data() == plan.boxes().data());
  CHECK(copy == plan);  // a floor plan that was moved from is as good as before
  copy.add({{4, 0}, {8, 4}}, 1);
  CHECK_EQUAL(plan.size(), 1);
  CHECK_EQUAL(moved.size(), 1);
  CHECK_EQUAL(copy.size(), 2);
  CHECK(copy[0] == plan[0] && copy.owner(1) == 1);
  const auto* before = copy.boxes().data();
  const auto grown = copy.transformed([](const box<2>& b) { return grow(b, 1); });
  CHECK(grown[0] != copy[0] && copy.boxes().data() == before);
}

WHERRY_UNIT_TEST(complete_floor_plans) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    const auto plan = random_plan<N>(random);
    CHECK(plan.complete());
    CHECK_EQUAL(plan.known(), plan.size());
    box<N> all;
    std::vector<int> mine;
    for (int i = 0; i < plan.size(); ++i) {
      CHECK(plan.knows(i) && plan.number_of(i) == i && plan.place_of(i) == i);
      all = wherry::bounding_box(all, plan[i]);
      if (plan.owner(i) == 2) mine.push_back(i);
    }
    CHECK(!plan.knows(-1) && !plan.knows(plan.size()));
    CHECK_THROWS_WITH(plan[plan.size()], "does not exist");
    CHECK_THROWS_WITH(plan.owner(-1), "box -1");
    CHECK_EQUAL(plan.owned_by(2), mine);
    CHECK(plan.bounding_box() == all);
    const auto grown = plan.transformed([](const box<N>& b) { return grow(b, 1); });
    for (int i = 0; i < plan.size(); ++i) CHECK(grown[i] == grow(plan[i], 1) && grown.owner(i) == plan.owner(i));
  });
}

WHERRY_UNIT_TEST(partial_floor_plans) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    auto whole = random_plan<N>(random);
    if (whole.size() == 0) whole.add(random_box<N>(random), 1);
    std::vector<int> numbers;
    for (int i = 0; i < whole.size(); ++i)
      if (random.chance(50)) numbers.push_back(i);
    const auto part = part_of(whole, numbers);
    CHECK(!part.complete());
    CHECK_EQUAL(part.size(), whole.size());
    CHECK_EQUAL(part.known(), numbers.size());
    for (int i = 0; i < whole.size(); ++i) {
      const auto found = std::find(numbers.begin(), numbers.end(), i);
      CHECK_EQUAL(part.place_of(i), found == numbers.end() ? -1 : static_cast<int>(found - numbers.begin()));
      CHECK_EQUAL(part.knows(i), found != numbers.end());
      if (part.knows(i)) {
        CHECK(part[i] == whole[i] && part.owner(i) == whole.owner(i) && part.number_of(part.place_of(i)) == i);
      } else {
        CHECK_THROWS_WITH(part[i], "not known");
      }
    }
    CHECK_THROWS_WITH(part[whole.size()], "does not exist");
    for (const int number : part.owned_by(1)) CHECK_EQUAL(whole.owner(number), 1);
    floor_plan<N> changed = part;
    CHECK_THROWS_WITH((changed.add(box<N>{}, 0), 0), "partial");
  });
}

WHERRY_UNIT_TEST(floor_plan_errors) {
  const std::vector<box<1>> two{{{0}, {4}}, {{4}, {8}}};
  CHECK_THROWS_WITH(floor_plan<1>(two, {0}), "2 boxes but 1 owners");
  CHECK_THROWS_WITH(floor_plan<1>(two, {0, -1}), "box 1 has owner -1");
  CHECK_THROWS_WITH(floor_plan<1>(9, {3}, two, {0, 0}), "2 boxes but 1 numbers");
  CHECK_THROWS_WITH(floor_plan<1>(9, {3, 3}, two, {0, 0}), "3 is followed by 3");
  CHECK_THROWS_WITH(floor_plan<1>(9, {3, 9}, two, {0, 0}), "smaller than 9, but 3 is followed by 9");
}

// Each entry's points correspond the other way round, and twice round is where it began.
WHERRY_UNIT_TEST(motions_backwards) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto plan = random_motions<N>(random);
    const auto back = plan.reversed();
    CHECK(back.reversed() == plan);
    CHECK_EQUAL(back.size(), plan.size());
    for (std::size_t k = 0; k < plan.size(); ++k) {
      CHECK(back[k].from == plan[k].to && back[k].to == plan[k].from);
      CHECK(back[k].source == plan[k].destination && back[k].destination == plan[k].source);
      for (int n = 0; n < 5; ++n) {
        // A step along a destination dimension, and the one that it is along the source.
        const auto d = static_cast<std::size_t>(random.between(0, N - 1));
        const auto s = static_cast<std::size_t>(plan[k].axes[d]);
        CHECK_EQUAL(back[k].axes[s], d);
      }
    }
  });
}

WHERRY_UNIT_TEST(motion_plans_are_lists) {
  motion_plan<2> plan, other;
  plan.copy(0, 1, {{0, 0}, {2, 2}});
  other.copy(3, {{0, 0}, {4, 1}}, 2, {{0, 0}, {1, 4}});
  plan.append(other);
  CHECK_EQUAL(plan.size(), 2);
  CHECK((plan[0].source == plan[0].destination));
  CHECK((plan[1] == wherry::motion<2>{3, 2, {{0, 0}, {4, 1}}, {{0, 0}, {1, 4}}}));
  CHECK(plan.begin() + 2 == plan.end() && !plan.empty() && other.entries().size() == 1);
}
