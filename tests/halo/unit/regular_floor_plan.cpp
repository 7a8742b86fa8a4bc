// How cells are cut, and who is next to whom.
#include "halo/regular_floor_plan.hpp"

#include <numeric>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::regular_floor_plan;
using sizes = std::vector<std::vector<wherry::index_t>>;

WHERRY_UNIT_TEST(cuts_of_a_grid) {
  const regular_floor_plan cut({{3, 3, 2, 2}, {1, 1, 1, 0, 0}, {7}}, {false, true, false});
  CHECK_EQUAL(cut.first(0, 2), 6);
  CHECK_EQUAL(cut.cells(0), 10);
  CHECK_EQUAL(cut.subdomains(), 20);
  CHECK_EQUAL(cut.pieces(1), 5);
  CHECK(cut.periodic(1) && !cut.periodic(0));
  CHECK((cut.box_at<3>({2, 1, 0, 0}) == wherry::box<3>{{6, 1, 0}, {8, 2, 7}}));
  CHECK(!cut.empty({2, 1, 0, 0}) && cut.empty({2, 3, 0, 0}));
}

// Neighbours are the nearest pieces with cells: against a walk from cell to cell.
WHERRY_UNIT_TEST(neighbors_skip_empty_pieces) {
  for (int n = 0; n < 1000; ++n) {
    random_numbers random(hash(test.seed, n));
    sizes cut(1);
    for (int p = random.between(1, 7); p > 0; --p) cut[0].push_back(random.chance(40) ? 0 : random.between(1, 3));
    const bool periodic = random.chance(50);
    const regular_floor_plan made(cut, {periodic});
    const int pieces = static_cast<int>(cut[0].size());
    int filled = 0;
    for (const auto size : cut[0]) filled += size > 0 ? 1 : 0;
    for (int p = 0; p < pieces; ++p)
      for (const int direction : {-1, 1}) {
        int expected = -1;
        for (int step = 1; step <= pieces && expected < 0; ++step) {
          const int there = p + direction * step;
          if (!periodic && (there < 0 || there >= pieces)) break;
          const int wrapped = (there % pieces + pieces) % pieces;
          if (cut[0][static_cast<std::size_t>(wrapped)] > 0) expected = wrapped;
        }
        CHECK_EQUAL(made.neighbor(0, p, direction), expected);
      }
    CHECK_EQUAL(made.wraps_to_itself(0), periodic && filled <= 1);
  }
}

WHERRY_UNIT_TEST(numbers_and_owners) {
  regular_floor_plan cut(sizes{{1, 1, 1}, {1, 1}, {1, 1, 1, 1}}, {true, true, true});
  CHECK_EQUAL(cut.number({1, 0, 0, 0}), 1);
  CHECK_EQUAL(cut.number({0, 1, 0, 0}), 3);
  CHECK_EQUAL(cut.number({0, 0, 1, 0}), 6);
  for (int number = 0; number < 24; ++number) {
    CHECK_EQUAL(cut.number(cut.coordinates(number)), number);
    CHECK_EQUAL(cut.owner(number), number);
  }
  cut.set_owners_by_stride({8, 4, 1});
  CHECK_EQUAL(cut.owner(cut.number({2, 1, 3, 0})), 2 * 8 + 4 + 3);
}

WHERRY_UNIT_TEST(wrong_cuts) {
  CHECK_THROWS_WITH(regular_floor_plan({}, {}), "0 axes");
  CHECK_THROWS_WITH(regular_floor_plan(sizes(5, {1}), std::vector(5, false)), "5 axes");
  CHECK_THROWS_WITH(regular_floor_plan(sizes{{1}, {}}, {false, false}), "'sizes' has no pieces for axis 1");
  CHECK_THROWS_WITH(regular_floor_plan(sizes{{1, -2}}, {false}), "'sizes' has -2 for piece 1 of axis 0");
  CHECK_THROWS_WITH(regular_floor_plan(sizes{{1}}, {}), "'periodic' has 0 entries, expected 1");
  const sizes huge(3, std::vector<wherry::index_t>(2000, 1));
  CHECK_THROWS_WITH(regular_floor_plan(huge, std::vector(3, true)), "the number of subdomains does not fit");
}
