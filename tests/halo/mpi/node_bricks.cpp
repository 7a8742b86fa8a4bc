// Grids whose nodes are compact bricks: every place has one rank, nodes are where they should be, and halos come from
// the right ranks.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::index_t;
using wherry::process_grid;

namespace {

using place = std::array<int, wherry::max_halo_dimensions>;

/// Neighbours across faces that are on another node, over all places, counted one by one.
long links_between_nodes(const std::vector<int>& extents, const std::vector<bool>& periodic,
                         const std::function<int(const place&)>& node_at) {
  long count = 0;
  place at{};
  const auto visit = [&](auto& self, std::size_t dimension) -> void {
    if (dimension < extents.size()) {
      for (at[dimension] = 0; at[dimension] < extents[dimension]; ++at[dimension]) self(self, dimension + 1);
      return;
    }
    for (std::size_t d = 0; d < extents.size(); ++d) {
      auto next = at;
      if (++next[d] == extents[d] && !periodic[d]) continue;
      next[d] %= extents[d];
      count += node_at(at) != node_at(next) ? 1 : 0;
    }
  };
  visit(visit, 0);
  return count;
}

}  // namespace

WHERRY_TEST(bricks_have_the_fewest_links_outside, ranks(1)) {
  random_numbers random(test.seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<int> extents;
    std::vector<bool> periodic;
    for (int d = random.between(1, 3); d > 0; --d) {
      extents.push_back(random.between(1, 8));
      periodic.push_back(random.chance(50));
    }
    const int ranks = random.between(1, 16);
    const auto brick = wherry::detail::node_brick(extents, periodic, ranks);
    // All bricks that there are, by brute force.
    long fewest = -1;
    std::vector<int> b(3, 1), e = extents;
    e.resize(3, 1);
    auto wraps = periodic;
    wraps.resize(3, false);
    const auto links = [&](const std::vector<int>& of) {
      return links_between_nodes(e, wraps, [&](const place& at) {
        int node = 0;
        for (std::size_t d = 0; d < 3; ++d) node = node * 8 + at[d] / of[d];
        return node;
      });
    };
    for (b[0] = 1; b[0] <= e[0]; ++b[0])
      for (b[1] = 1; b[1] <= e[1]; ++b[1])
        for (b[2] = 1; b[2] <= e[2]; ++b[2])
          if (b[0] * b[1] * b[2] == ranks && e[0] % b[0] == 0 && e[1] % b[1] == 0 && e[2] % b[2] == 0)
            fewest = fewest < 0 ? links(b) : std::min(fewest, links(b));
    auto found = brick;
    found.resize(3, 1);
    const bool none = std::ranges::all_of(brick, [](int length) { return length == 1; });
    if (fewest < 0) {
      CHECK(none);
    } else if (!none) {
      CHECK_EQUAL(found[0] * found[1] * found[2], ranks);
      CHECK_EQUAL(links(found), fewest);
    } else {
      CHECK(ranks == 1 || fewest == 0);  // all on one node
    }
  }
}

WHERRY_TEST(every_place_has_a_rank_and_its_halo, ranks(1, 2, 3, 4, 8)) {
  for (const int node_size : {0, 1, 2, 3, 4}) {
    const nodes_of cut(test.comm, node_size);
    const MPI_Comm comm = cut;
    for (const std::size_t dimensions : {1u, 2u, 3u}) {
      test.note(std::to_string(node_size) + " ranks a node, dimensions: " + std::to_string(dimensions));
      const process_grid grid(
          comm, {.periodic = std::vector<bool>(dimensions, true), .order = wherry::rank_order::node_bricks});
      const int brick_ranks = std::accumulate(grid.brick().begin(), grid.brick().end(), 1, std::multiplies<>());
      std::set<place> seen;
      std::map<int, std::set<place>> bricks;
      for (int rank = 0; rank < grid.size(); ++rank) {
        const auto at = grid.coordinates(rank);
        CHECK_EQUAL(grid.rank_at(at), rank);
        seen.insert(at);
        auto corner = at;
        for (std::size_t d = 0; d < dimensions; ++d) corner[d] = at[d] / grid.brick()[d];
        bricks[rank / brick_ranks].insert(corner);
      }
      CHECK_EQUAL(static_cast<int>(seen.size()), grid.size());
      for (const auto& [node, corners] : bricks) CHECK_EQUAL(corners.size(), 1u);
      if (node_size > 1 && test.size % node_size == 0 && test.size > node_size && dimensions == 1)
        CHECK_EQUAL(brick_ranks, node_size);
      if (dimensions != 3) continue;
      constexpr index_t cells = 4;
      wherry::field<double, 3> u(grid.comm(), wherry::filled<3>(cells), 2);
      const auto at = grid.coordinates(test.rank);
      const auto value = [&](const wherry::point<3>& p) {
        double sum = 0;
        for (std::size_t d = 0, weight = 1; d < 3; ++d, weight *= 1000) {
          const index_t all = cells * grid.extents()[d];
          sum += static_cast<double>(weight) * static_cast<double>((at[d] * cells + p[d] + all) % all);
        }
        return sum;
      };
      for (const auto& name : usable_transports(comm)) {
        for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });
        for_each_point(u.core(), [&](const auto& p) { u[p] = value(p); });
        wherry::halo_exchange(grid, {.carry = {.transport = name}}, u)();
        long wrong = 0;
        for_each_point(u.whole(), [&](const auto& p) { wrong += u[p] != value(p) ? 1 : 0; });
        if (fault(wrong != 0)) FAIL(name + ": " + std::to_string(wrong) + " wrong cells");
      }
    }
  }
}

WHERRY_TEST(placements_that_cannot_be, ranks(1)) {
  using wherry::detail::rank_placement;
  CHECK_THROWS_WITH(rank_placement::in_rows({4, 6}, {2, 4}),
                    "bricks of 4 ranks do not divide the extent 6 of dimension 1");
  CHECK_THROWS_WITH(rank_placement::in_rows({4, 0}), "bricks of 1 ranks do not divide the extent 0 of dimension 1");
  CHECK_THROWS_WITH(rank_placement::in_rows({4, 6}, {2}), "'extents' has 2 entries and 'brick' 1");
  CHECK_THROWS_WITH(rank_placement::in_columns({1, 1, 1, 1, 1}), "at most 4");
  CHECK_EQUAL(rank_placement::in_columns({3, 2}).rank_at({2, 1, 0, 0}), 5);
}

WHERRY_TEST(columns_count_the_first_dimension_fastest, ranks(1, 2, 4, 6, 8)) {
  const process_grid grid(test.comm, {.periodic = {true, true, true}, .order = wherry::rank_order::columns});
  const auto& e = grid.extents();
  for (int rank = 0; rank < grid.size(); ++rank) {
    const auto at = grid.coordinates(rank);
    CHECK_EQUAL(at[0] + e[0] * (at[1] + e[1] * at[2]), rank);
    CHECK_EQUAL(grid.rank_at(at), rank);
  }
  wherry::field<int, 3> u(grid.comm(), {2, 2, 2}, 1);
  for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });
  for_each_point(u.core(), [&](const auto& p) { u[p] = test.rank; });
  wherry::halo_exchange(grid, u)();
  const auto here = grid.coordinates(test.rank);
  CHECK_EQUAL(u(2, 0, 0), (here[0] + 1) % e[0] + e[0] * (here[1] + e[1] * here[2]));
  CHECK_EQUAL(u(0, 0, -1), here[0] + e[0] * (here[1] + e[1] * ((here[2] + e[2] - 1) % e[2])));
}

WHERRY_TEST(ranks_that_disagree_on_the_order_are_told, ranks(2, 3)) {
  const auto order = test.rank == 1 ? wherry::rank_order::node_bricks : wherry::rank_order::rows;
  all_throw(test, "order", wherry::error_kind::mismatch, "the order of ranks",
            [&] { process_grid(test.comm, {.periodic = {true}, .order = order}); });
}
