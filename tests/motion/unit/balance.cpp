// Who owns which box, against exhaustive search and the definitions of the curves.
#include "wherry/motion/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry::assignment;
using wherry::floor_plan;
using wherry_test::random_numbers;

namespace {

std::vector<double> random_weights(random_numbers& random, int most) {
  std::vector<double> weights(static_cast<std::size_t>(random.between(0, most)));
  for (auto& w : weights) w = random.chance(15) ? 0 : random.between(1, 20);
  return weights;
}

double heaviest(const std::vector<double>& weights, const std::vector<int>& owners, int ranks) {
  std::vector<double> loads(static_cast<std::size_t>(ranks), 0);
  for (std::size_t i = 0; i < weights.size(); ++i) loads[static_cast<std::size_t>(owners[i])] += weights[i];
  return *std::max_element(loads.begin(), loads.end());
}

// The lightest heaviest rank of all ways to deal; of those whose owners ascend only where `runs` says so.
double best_of_all(const std::vector<double>& weights, int ranks, bool runs) {
  std::vector<int> owners(weights.size(), 0);
  double best = std::numeric_limits<double>::max();
  for (;;) {
    if (!runs || std::is_sorted(owners.begin(), owners.end())) best = std::min(best, heaviest(weights, owners, ranks));
    std::size_t i = 0;
    while (i < owners.size() && ++owners[i] == ranks) owners[i++] = 0;
    if (i == owners.size()) return best;
  }
}

// All unit boxes of a cube of 2^bits cells a side, shuffled and somewhere.
template <int N> std::vector<box<N>> cells_of_a_cube(random_numbers& random, int bits) {
  std::vector<box<N>> cells;
  const auto corner = random_point<N>(random, -50, 50);
  for_each_point(wherry::box_of_extents<N>(wherry::filled<N>(index_t{1} << bits)), [&](point<N> p) {
    for (std::size_t d = 0; d < N; ++d) p[d] += corner[d];
    cells.push_back(shift<N>(wherry::box_of_extents<N>(wherry::filled<N>(1)), p));
  });
  random.shuffle(cells);
  return cells;
}

}  // namespace

WHERRY_UNIT_TEST(runs_are_as_light_as_runs_can_be) {
  for (int n = 0; n < 300; ++n) {
    random_numbers random(wherry_test::hash(test.seed, n));
    const auto weights = random_weights(random, 8);
    const int ranks = random.between(1, 4);
    const auto owners = wherry::detail::contiguous_runs(weights, ranks);
    CHECK(std::is_sorted(owners.begin(), owners.end()));
    CHECK(owners.empty() || (owners.front() >= 0 && owners.back() < ranks));
    CHECK_EQUAL(heaviest(weights, owners, ranks), best_of_all(weights, ranks, true));
  }
  // Equal ones are spread evenly, not packed to the front.
  CHECK_EQUAL(wherry::detail::contiguous_runs(std::vector<double>(10, 1.0), 4),
              std::vector<int>({0, 0, 0, 1, 1, 2, 2, 2, 3, 3}));
}

// Graham's bound for longest processing time first (1969).
WHERRY_UNIT_TEST(heaviest_first_is_near_the_best) {
  for (int n = 0; n < 200; ++n) {
    random_numbers random(wherry_test::hash(test.seed, n));
    const auto weights = random_weights(random, 8);
    const int ranks = random.between(1, 3);
    const double found = heaviest(weights, wherry::heaviest_first(weights, ranks), ranks);
    CHECK(found <= (4.0 / 3 - 1.0 / (3 * ranks)) * best_of_all(weights, ranks, false) + 1e-12);
  }
  CHECK_EQUAL(wherry::heaviest_first(std::vector<double>{1, 5, 3, 3}, 2), std::vector<int>({0, 0, 1, 1}));
  CHECK_EQUAL(wherry::heaviest_first(std::vector<double>(3, 0.0), 3), std::vector<int>({0, 1, 2}));
}

// Hilbert's curve goes from each cell to one beside it.
WHERRY_UNIT_TEST(hilbert_order_steps_to_neighbours) {
  for_all_dimensions(test, 2, []<int N>(random_numbers& random) {
    const auto cells = cells_of_a_cube<N>(random, N <= 3 ? 3 : N == 4 ? 2 : 1);
    const auto order = wherry::detail::hilbert_order<N>(cells);
    auto numbers = order;
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < cells.size(); ++i) CHECK_EQUAL(numbers[i], i);
    for (std::size_t i = 1; i < order.size(); ++i) {
      index_t steps = 0;
      for (std::size_t d = 0; d < N; ++d)
        steps += std::abs(cells[static_cast<std::size_t>(order[i])].lower[d] -
                          cells[static_cast<std::size_t>(order[i - 1])].lower[d]);
      CHECK_EQUAL(steps, 1);
    }
  });
}

WHERRY_UNIT_TEST(morton_order_interleaves_bits) {
  for_all_dimensions(test, 2, []<int N>(random_numbers& random) {
    const auto cells = cells_of_a_cube<N>(random, N <= 3 ? 3 : 1);
    point<N> corner = cells[0].lower;
    for (const auto& c : cells)
      for (std::size_t d = 0; d < N; ++d) corner[d] = std::min(corner[d], c.lower[d]);
    const auto order = wherry::detail::morton_order<N>(cells);
    for (std::size_t i = 0; i < order.size(); ++i) {
      index_t place = 0;
      for (int bit = 2; bit >= 0; --bit)
        for (std::size_t d = N; d-- > 0;)
          place = 2 * place + ((cells[static_cast<std::size_t>(order[i])].lower[d] - corner[d]) >> bit & 1);
      CHECK_EQUAL(place, i);
    }
  });
}

// Boxes at the same place stay in order; far apart ones of any size are no trouble.
WHERRY_UNIT_TEST(orders_of_any_boxes) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    std::vector<box<N>> boxes(static_cast<std::size_t>(random.between(0, 30)), box<N>{});
    for (auto& b : boxes)
      b = random.chance(50) ? random_box<N>(random) : shift<N>(random_box<N>(random), wherry::filled<N>(1'000'000'000));
    for (const auto& order : {wherry::detail::hilbert_order<N>(boxes), wherry::detail::morton_order<N>(boxes)}) {
      auto numbers = order;
      std::sort(numbers.begin(), numbers.end());
      CHECK_EQUAL(numbers.size(), boxes.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_EQUAL(numbers[i], i);
      for (std::size_t i = 1; i < order.size(); ++i) {
        const auto& a = boxes[static_cast<std::size_t>(order[i - 1])];
        const auto& b = boxes[static_cast<std::size_t>(order[i])];
        CHECK(order[i - 1] < order[i] || a.lower != b.lower || a.upper != b.upper);
      }
    }
  });
}

WHERRY_UNIT_TEST(balance_keeps_boxes_and_uses_weights) {
  for_all_dimensions(test, 20, []<int N>(random_numbers& random) {
    floor_plan<N> plan;
    for (int i = random.between(0, 20); i > 0; --i) plan.add(random_box<N>(random), 0);
    const int ranks = random.between(1, 6);
    std::vector<double> weights;
    for (int i = 0; i < plan.size(); ++i) weights.push_back(random.between(0, 9));
    for (const auto method : {assignment::round_robin, assignment::along_morton_curve, assignment::along_hilbert_curve,
                              assignment::heaviest_first, assignment::in_order}) {
      const auto dealt = balance(plan, ranks, {.method = method, .weights = weights});
      CHECK(std::equal(plan.boxes().begin(), plan.boxes().end(), dealt.boxes().begin(), dealt.boxes().end()));
      const auto loads = loads_of(dealt, ranks, weights);
      CHECK_EQUAL(loads.largest, heaviest(weights, {dealt.owners().begin(), dealt.owners().end()}, ranks));
      CHECK_NEAR(std::accumulate(loads.loads.begin(), loads.loads.end(), 0.0), loads.mean * ranks, 1e-9);
      CHECK(dealt == balance(plan, ranks, {.method = method, .weights = weights}));
    }
    // Runs along a curve are as light as runs along that curve can be, so no worse than the mean and one box.
    const auto curve = loads_of(balance(plan, ranks), ranks);
    double largest_box = 0;
    for (const auto& b : plan.boxes()) largest_box = std::max(largest_box, static_cast<double>(b.size()));
    CHECK(curve.largest <= curve.mean + largest_box);
  });
}

WHERRY_UNIT_TEST(balance_errors) {
  floor_plan<1> plan({{{0}, {4}}, {{4}, {8}}}, {0, 0});
  CHECK_THROWS_WITH(balance(plan, 0), "'ranks' is 0");
  CHECK_THROWS_WITH(balance(plan, 2, {.weights = {1}}), "'weights' has 1 entries, expected 2");
  CHECK_THROWS_WITH(balance(plan, 2, {.weights = {1, -1}}), "'weights' has -1 for box 1");
  CHECK_THROWS_WITH(balance(plan, 2, {.weights = {1, std::nan("")}}), "box 1");
  CHECK_THROWS_WITH(balance(floor_plan<1>(3, {1}, {{{0}, {4}}}, {0}), 2), "partial");
  plan.add({{8}, {9}}, 5);
  CHECK_THROWS_WITH(loads_of(plan, 2), "owner 5, expected a rank from 0 to 1");
  CHECK_THROWS_WITH(wherry::row_major<2>({3, 0}), "the extent 0");
  CHECK_THROWS_WITH(wherry::row_major<2>({-1, 2}), "the extent -1");
  CHECK_THROWS_WITH(wherry::row_major<2>({1 << 20, 1 << 20}), "number of places");
}
