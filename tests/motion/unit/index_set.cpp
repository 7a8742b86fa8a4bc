// Sets of integers against std::set; floor plans of them; pairs of parts against all pairs.
#include "wherry/motion/index_set.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <set>
#include <vector>

#include "wherry/motion/index_motions.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::index_set;
using wherry::index_t;
using wherry::detail::index_run;

namespace {

using oracle = std::set<index_t>;

// Scattered members and long runs, negative ones too; sometimes none.
std::vector<index_t> some_members(random_numbers& random) {
  std::vector<index_t> members;
  const int pieces = random.between(0, 12), spread = random.one_of({20, 200, 100000});
  for (int i = 0; i < pieces; ++i) {
    const index_t first = random.between(-spread, spread);
    const int length = random.chance(50) ? 1 : random.between(1, 30);
    for (int k = 0; k < length; ++k) members.push_back(first + k);
  }
  random.shuffle(members);
  return members;
}

std::vector<index_t> members_of(const index_set& set) { return {set.begin(), set.end()}; }
std::vector<index_t> members_of(const oracle& set) { return {set.begin(), set.end()}; }

// All that a set can say of itself.
void check_set(const index_set& set, const oracle& expected, std::uint64_t seed) {
  const auto members = members_of(expected);
  const bool same = members_of(set) == members && set.size() == std::ssize(members) && set.empty() == members.empty();
  if (fault(!same)) FAIL("seed " + std::to_string(seed) + ": other members than std::set's");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto place = static_cast<index_t>(i);
    CHECK_EQUAL(set[place], members[i]);
    CHECK_EQUAL(set.place_of(members[i]), place);
    for (const index_t near : {members[i] - 1, members[i], members[i] + 1})
      CHECK_EQUAL(set.contains(near), expected.contains(near));
  }
  for (std::size_t i = 1; i < set.runs().size(); ++i)  // maximal runs, so that equal sets are equal
    CHECK(set.runs()[i].first > set.runs()[i - 1].first + set.runs()[i - 1].count);
  CHECK(index_set(members) == set);
  CHECK(index_set::from_cover(set.cover()) == set);
}

void check_places(const index_set& whole, const index_set& section) {
  std::vector<index_t> found;
  whole.for_each_place(section, [&](index_t first, index_t count) {
    CHECK(count > 0);
    for (index_t i = 0; i < count; ++i) found.push_back(whole[first + i]);
  });
  CHECK_EQUAL(found, members_of(intersection(whole, section)));
}

}  // namespace

WHERRY_UNIT_TEST(sets_are_what_std_sets_are) {
  for (std::uint64_t seed = test.seed; seed < test.seed + 3000; ++seed) {
    random_numbers random(seed);
    const auto a = some_members(random), b = some_members(random);
    const index_set x(a), y(b);
    const oracle p(a.begin(), a.end()), q(b.begin(), b.end());
    check_set(x, p, seed);

    oracle both, any = p, only;
    any.insert(q.begin(), q.end());
    std::ranges::set_intersection(p, q, std::inserter(both, both.end()));
    std::ranges::set_difference(p, q, std::inserter(only, only.end()));
    check_set(intersection(x, y), both, seed);
    check_set(union_of(x, y), any, seed);
    check_set(difference(x, y), only, seed);
    oracle moved;
    for (const index_t m : p) moved.insert(m + 7);
    check_set(shift(x, 7), moved, seed);

    CHECK_EQUAL(x.contains(y), std::ranges::includes(p, q));
    CHECK(x.contains(intersection(x, y)) && union_of(x, y).contains(x));
    CHECK_EQUAL(x == y, p == q);
    check_places(x, y);
    check_places(union_of(x, y), y);
  }
}

WHERRY_UNIT_TEST(sets_are_made_of_runs) {
  const index_set set(std::vector<index_run>{{10, 3}, {0, 2}, {2, 1}, {11, 5}, {50, 0}});
  CHECK_EQUAL(members_of(set), (std::vector<index_t>{0, 1, 2, 10, 11, 12, 13, 14, 15}));
  CHECK_EQUAL(set.runs().size(), 2);
  CHECK(index_set::range(3, 3).empty() && index_set::range(5, 2) == index_set{});
  CHECK((index_set{4, 2, 3, 2} == index_set::range(2, 5)));
  // A run of a million costs no more than one of three.
  CHECK_EQUAL(intersection(index_set::range(0, 1000000000), index_set{-1, 5, 999999999}).size(), 2);
  CHECK_THROWS_WITH(set[9], "'place' is 9; the set has 9 members");
  CHECK_THROWS_WITH(set[-1], "'place' is -1");
  CHECK_THROWS_WITH(index_set(std::vector<index_run>{{3, -2}}), "the run at 3 has -2 members");
}

WHERRY_UNIT_TEST(index_floor_plans) {
  using plan = wherry::index_floor_plan<>;
  const plan whole({{1, 2}, {}, {2, 3}}, {1, 0, 1});
  CHECK_EQUAL(whole.size(), 3);
  CHECK_EQUAL(whole.owned_by(1), (std::vector<int>{0, 2}));
  CHECK(whole[2] == (index_set{2, 3}) && whole.complete() && whole.place_of(3) == -1 && whole.place_of(-1) == -1);
  const plan part(7, {2, 5}, {{1}, {2}}, {0, 3});
  CHECK(part.size() == 7 && part.known() == 2 && !part.complete() && part.knows(5) && !part.knows(3));
  CHECK_EQUAL(part.owner(5), 3);
  CHECK_THROWS_WITH(part[3], "part 3 is not known to this rank");
  CHECK_THROWS_WITH(whole[3], "part 3 of 3 does not exist");
  CHECK_THROWS_WITH(plan({{1}}, {0, 1}), "there are 1 parts but 2 owners");
  CHECK_THROWS_WITH(plan({{1}, {2}}, {0, -4}), "part 1 has owner -4");
  CHECK_THROWS_WITH(plan(7, {5, 2}, {{1}, {2}}, {0, 0}), "smaller than 7, but 5 is followed by 2");
  CHECK_THROWS_WITH(plan(7, {7}, {{1}}, {0}), "smaller than 7, but the first is 7");
  CHECK_THROWS_WITH(plan(7, {1}, {{1}, {2}}, {0, 0}), "there are 2 parts but 1 numbers");
  auto more = part;
  CHECK_THROWS_WITH(more.add({1}, 0), "added to a partial floor plan");
}

WHERRY_UNIT_TEST(motions_of_shared_points) {
  for (std::uint64_t seed = test.seed; seed < test.seed + 300; ++seed) {
    random_numbers random(seed);
    const int parts = random.between(0, 12);
    wherry::index_floor_plan<> a, b;
    for (int i = 0; i < parts; ++i) a.add(index_set(some_members(random)), random.between(0, 3));
    for (int i = 0; i < parts; ++i) b.add(index_set(some_members(random)), random.between(0, 3));
    for (const int rank : {wherry::plans::every_rank, 0, 2}) {
      const auto plan = redistribution(a, b).plan(rank);
      std::size_t expected = 0;
      for (int i = 0; i < parts; ++i)
        for (int j = 0; j < parts; ++j)
          if (rank == wherry::plans::every_rank || a.owner(i) == rank || b.owner(j) == rank)
            expected += intersection(a[i], b[j]).empty() ? 0 : 1;
      CHECK_EQUAL(plan.size(), expected);
      for (const auto& e : plan)
        CHECK(!e.source.empty() && e.source == intersection(a[e.from], b[e.to]) && e.destination == e.source);
    }

    const auto owned = without_overlap(a);
    std::vector<index_set> all;
    index_t members = 0;
    for (int i = 0; i < parts; ++i) {
      CHECK(a[i].contains(owned[i]) && a.owner(i) == owned.owner(i));
      for (const index_t m : owned[i])
        for (int j = 0; j < i; ++j) CHECK(!a[j].contains(m));
      members += owned[i].size();
      all.push_back(a[i]);
    }
    CHECK_EQUAL(members, wherry::union_of(all).size());
    const auto mine = without_overlap(a, 1);
    CHECK_EQUAL(mine.owned_by(1), a.owned_by(1));
    for (const int i : a.owned_by(1)) CHECK(mine[i] == owned[i]);
    for (const auto& e : halo_motion(owned, a).plan()) CHECK(e.from != e.to && owned[e.from].contains(e.source));
  }
}

WHERRY_UNIT_TEST(index_motions_explained) {
  const wherry::index_floor_plan<> plan({{1, 2, 3}, {2, 3}, {3, 9}}, {0, 1, 1});
  const auto halo = halo_motion(without_overlap(plan), plan).plan();
  CHECK_EQUAL(halo.explain(plan, plan),
              "motion plan: 2 entries, 3 points, 0 of them between parts of one rank\n"
              "rank 0 → rank 1: 2 entries, 3 points\n"
              "  part 0 → part 1: 2 points\n"
              "  part 0 → part 2: 1 point\n");
  const wherry::index_floor_plan<> known(3, {1}, {{2, 3}}, {1});
  CHECK_EQUAL(halo.reversed().explain(known, plan, 1),
              "motion plan: 2 entries, 3 points, 0 of them between parts of one rank\n"
              "rank ? → rank 0: 1 entry, 1 point\n"
              "  part 2 → part 0: 1 point\n"
              "rank 1 → rank 0: 1 entry, 2 points\n"
              "  … and 1 more\n");
}
