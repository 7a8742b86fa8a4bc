// Builders of floor plans: every cell once, sizes as promised, owners as by definition.
#include "wherry/motion/decompose.hpp"

#include <limits>
#include <numeric>

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry::floor_plan;
using wherry_test::random_numbers;

namespace {

template <int N> bool cuts_up(const floor_plan<N>& plan, const box<N>& cells) {
  index_t points = 0;
  for (const auto& b : plan.boxes()) points += b.size();
  return points == cells.size() &&
         points_of(std::vector<box<N>>(plan.boxes().begin(), plan.boxes().end())) == points_of(cells);
}

template <int N> bool one_a_rank(const floor_plan<N>& plan) {
  for (int i = 0; i < plan.size(); ++i)
    if (plan.owner(i) != i) return false;
  return true;
}

}  // namespace

WHERRY_UNIT_TEST(even_blocks_differ_by_a_cell) {
  for_all_dimensions(test, 30, []<int N>(random_numbers& random) {
    const auto cells = random_box<N>(random);
    const auto pieces = random_point<N>(random, 1, 3);
    const auto plan = even_blocks<N>(cells, pieces);
    CHECK(cuts_up(plan, cells));
    CHECK_EQUAL(plan.size(), wherry::box_of_extents<N>(pieces).size());
    CHECK(one_a_rank(plan));
    for (int d = 0; d < N; ++d) {
      const auto longest = cells.extent(d) / pieces[static_cast<std::size_t>(d)] + 1;
      for (const auto& b : plan.boxes()) CHECK(b.extent(d) == longest || b.extent(d) == longest - 1);
    }
    // Dimension 0 counts fastest.
    if (pieces[0] > 1) CHECK_EQUAL(plan[1].lower[0], plan[0].upper[0]);
  });
  const auto owned = wherry::even_blocks<2>({{0, 0}, {4, 6}}, {2, 3}, wherry::row_major<2>({2, 3}));
  CHECK(std::ranges::equal(owned.owners(), std::vector<int>{0, 3, 1, 4, 2, 5}));
  CHECK_EQUAL(wherry::detail::even_cuts(-2, 5, 3), std::vector<index_t>({-2, 1, 3, 5}));
  CHECK_THROWS_WITH(wherry::even_blocks<2>({{0, 0}, {4, 6}}, {2, 0}), "'pieces' is 0");
  CHECK_THROWS_WITH((wherry::even_blocks<2>({{0, 0}, {4, 6}}, {2, 2}, {0, 1})), "4 boxes but 2 owners");
}

WHERRY_UNIT_TEST(cuts_of_ones_own) {
  const auto plan = wherry::cut_blocks<2>({{{0, 10, 64}, {0, 7, 7, 32}}});
  CHECK_EQUAL(plan.size(), 6);
  CHECK((plan[1] == box<2>{{10, 0}, {64, 7}}));
  CHECK(plan[2].empty() && plan[3].empty());
  CHECK((plan[4] == box<2>{{0, 7}, {10, 32}}));
  CHECK(cuts_up(plan, {{0, 0}, {64, 32}}));
  CHECK_THROWS_WITH(wherry::cut_blocks<1>({{{0, 5, 3}}}), "does not ascend");
  CHECK_THROWS_WITH(wherry::cut_blocks<1>({{{0}}}), "'cuts' has 1 entries");
}

WHERRY_UNIT_TEST(block_cyclic_deals_in_turn) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    const auto cells = random_box<N>(random);
    const auto block = random_point<N>(random, 1, 3), grid = random_point<N>(random, 1, 3);
    std::vector<int> ranks(static_cast<std::size_t>(wherry::box_of_extents<N>(grid).size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    random.shuffle(ranks);
    const auto plan = block_cyclic<N>(cells, block, grid, ranks);
    CHECK(cuts_up(plan, cells));
    for (int i = 0; i < plan.size(); ++i)
      for_each_point(plan[i], [&](const point<N>& p) {
        index_t place = 0, stride = 1;
        for (std::size_t d = 0; d < N; ++d) {
          place += (p[d] - cells.lower[d]) / block[d] % grid[d] * stride;
          stride *= grid[d];
        }
        CHECK_EQUAL(plan.owner(i), ranks[static_cast<std::size_t>(place)]);
      });
  });
  CHECK_THROWS_WITH(wherry::block_cyclic<2>({{0, 0}, {4, 6}}, {2, 0}, {1, 1}), "extent 0");
  CHECK_THROWS_WITH(wherry::block_cyclic<2>({{0, 0}, {4, 6}}, {2, 2}, {-1, 1}), "extent -1");
  CHECK_THROWS_WITH((wherry::block_cyclic<2>({{0, 0}, {4, 6}}, {2, 2}, {1, 2}, {0})),
                    "'ranks' has 1 entries, expected 2");
}

WHERRY_UNIT_TEST(any_number_of_ranks) {
  const box<3> cells{{-3, 0, 2}, {57, 40, 52}};
  for (int ranks = 1; ranks <= 40; ++ranks)
    for (const auto& plan : {bisected_blocks(cells, ranks), decompose(cells, ranks)}) {
      CHECK_EQUAL(plan.size(), ranks);
      CHECK(one_a_rank(plan));
      index_t points = 0;
      for (const auto& a : plan.boxes()) {
        points += a.size();
        CHECK(cells.contains(a));
        for (const auto& b : plan.boxes()) CHECK(&a == &b || !intersects(a, b));
      }
      CHECK_EQUAL(points, cells.size());
      CHECK(loads_of(plan, ranks).imbalance() < 1.15);
    }
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    const auto few = random_box<N>(random);  // fewer cells than ranks, too
    const int ranks = random.between(1, 30);
    CHECK(cuts_up(bisected_blocks(few, ranks), few));
    CHECK(cuts_up(decompose(few, ranks), few));
  });
  CHECK_THROWS_WITH(decompose(cells, 0), "'ranks' is 0");
}

WHERRY_UNIT_TEST(blocks_begin_at_multiples) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    wherry::decompose_options<N> options{.multiple_of = random_point<N>(random, 1, 4)};
    const auto whole = refine<N>(random_box<N>(random), options.multiple_of);
    if (random.chance(50))
      for (std::size_t d = 0; d < N; ++d) options.largest[d] = options.multiple_of[d] + random.between(0, 9);
    const int ranks = random.between(1, 12);
    const auto plan = decompose(whole, ranks, options);
    CHECK(cuts_up(plan, whole));
    for (const auto& b : plan.boxes())
      for (std::size_t d = 0; d < N && !b.empty(); ++d) {
        CHECK_EQUAL(b.lower[d] % options.multiple_of[d], 0);
        CHECK_EQUAL(b.upper[d] % options.multiple_of[d], 0);
        if (options.largest[d] > 0) CHECK(b.upper[d] - b.lower[d] <= options.largest[d]);
      }
    for (const int owner : plan.owners()) CHECK(owner >= 0 && owner < ranks);
  });
  const box<2> cells{{0, 0}, {16, 24}};
  CHECK_THROWS_WITH(decompose(cells, 2, {.multiple_of = {8, 0}}), "'multiple_of' is 0 in dimension 1");
  CHECK_THROWS_WITH(decompose(cells, 2, {.multiple_of = {8, 16}}), "a corner at 24 in dimension 1");
  CHECK_THROWS_WITH(decompose(cells, 2, {.largest = {4, 8}, .multiple_of = {8, 8}}), "'largest' is 4 in dimension 0");
}

WHERRY_UNIT_TEST(pieces_are_the_best_of_all) {
  for (int n = 0; n < 200; ++n) {
    random_numbers random(wherry_test::hash(test.seed, n));
    const auto extents = random_point<3>(random, 1, 60);
    const int pieces = random.between(1, 64);
    const auto cost = [&](const point<3>& by) {
      index_t cells = 1;
      for (std::size_t d = 0; d < 3; ++d) cells *= (extents[d] + by[d] - 1) / by[d] + 2;
      return cells;
    };
    const auto found = wherry::detail::pieces_for(wherry::box_of_extents<3>(extents), pieces);
    CHECK_EQUAL(found[0] * found[1] * found[2], pieces);
    index_t least = std::numeric_limits<index_t>::max();
    for (index_t i = 1; i <= pieces; ++i)
      for (index_t j = 1; i * j <= pieces; ++j)
        if (pieces % (i * j) == 0) least = std::min(least, cost({i, j, pieces / (i * j)}));
    CHECK_EQUAL(cost(found), least);
  }
  CHECK((wherry::detail::pieces_for(wherry::box_of_extents<3>({64, 64, 64}), 2) == point<3>{1, 1, 2}));
}

WHERRY_UNIT_TEST(blocks_of_a_largest_size) {
  for_all_dimensions(test, 30, []<int N>(random_numbers& random) {
    const auto cells = random_box<N>(random);
    const auto largest = random_point<N>(random, 1, 4);
    const int ranks = random.between(1, 9);
    const auto plan = decompose(cells, ranks, {.largest = largest});
    CHECK(cuts_up(plan, cells));
    CHECK(plan.size() >= std::min<index_t>(ranks, cells.size()));
    for (const auto& b : plan.boxes())
      for (int d = 0; d < N; ++d) CHECK(b.extent(d) <= largest[static_cast<std::size_t>(d)]);
    for (const int owner : plan.owners()) CHECK(owner < ranks);
  });
  // As few as there can be; a dimension without limit stays whole.
  const auto plan = wherry::decompose<2>({{0, 0}, {100, 30}}, 3, {.largest = {32, 0}});
  CHECK_EQUAL(plan.size(), 4);
  CHECK_EQUAL(plan[0].extent(1), 30);
  CHECK_THROWS_WITH(wherry::decompose<2>({{0, 0}, {4, 4}}, 2, {.largest = {2, -1}}), "'largest' is -1 in dimension 1");
}
