// Broadcast, scatter and gather of array sections over a process grid.
#include "wherry/halo/rooted.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

#include "harness/harness.hpp"

namespace {

using wherry::box;
using wherry::field;
using wherry::index_t;
using wherry::process_grid;
using wherry::view;

double value(const wherry::point<3>& p) { return static_cast<double>(p[0] * 10000 + p[1] * 100 + p[2]); }

/// Scatters and gathers a global array of uneven subdomains, with layouts of all kinds on the two sides.
void there_and_back(const process_grid& grid, int root, const std::vector<int>& axes, const wherry::layout<3>& outer,
                    const wherry::layout<3>& inner) {
  const int rank = grid.comm().rank();
  const wherry::point<3> cells{7, 9, 5};
  const auto mine = wherry::owned_box<3>(grid, cells, axes);
  const auto core = mine.extents(), first = mine.lower;
  field<double, 3> u(grid.comm(), core, {{1, 0, 2}, {0, 2, 1}}, {.layout = inner, .pad_rows = true, .name = "u"});
  for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });

  std::vector<double> memory(rank == root ? 7 * 9 * 5 : 0, -2.0);
  const view<double, 3> global = rank == root ? view<double, 3>(memory.data(), cells, outer) : view<double, 3>{};
  wherry::scatter_exchange from_root(grid, global, u, {.root = root, .axes = axes, .carry = {.transport = "auto"}});
  wherry::gather_exchange to_root(grid, u, global, {.root = root, .axes = axes, .carry = {.transport = "auto"}});
  for (int round = 1; round <= 2; ++round) {
    if (rank == root) for_each_point(global.whole(), [&](const auto& p) { global[p] = round * value(p); });
    from_root();
    for_each_point(u.whole(), [&](const auto& p) {
      const wherry::point<3> at{p[0] + first[0], p[1] + first[1], p[2] + first[2]};
      CHECK_EQUAL(u[p], u.core().contains(p) ? round * value(at) : -1);
    });
    for_each_point(u.core(), [&](const auto& p) { u[p] += 0.5; });
    if (rank == root) std::fill(memory.begin(), memory.end(), -2.0);
    to_root.start();
    to_root.wait();
    if (rank == root)
      for_each_point(global.whole(), [&](const auto& p) { CHECK_EQUAL(global[p], round * value(p) + 0.5); });
  }
}

}  // namespace

WHERRY_TEST(scatter_and_gather, ranks(1, 2, 3, 4, 8)) {
  constexpr wherry::layout<3> layouts[] = {{{0, 1, 2}}, {{2, 1, 0}}, {{2, 0, 1}}, {{1, 2, 0}}};
  const process_grid cube(test.comm, {.periodic = {false, true, false}});
  for (std::size_t i = 0; i < 4; ++i)
    there_and_back(cube, static_cast<int>(i) % test.size, i % 2 == 0 ? std::vector<int>{} : std::vector<int>{1, 2, 0},
                   layouts[i], layouts[(i + i / 2) % 4]);
  const process_grid line(test.comm, {.periodic = {false}});  // dimensions beyond the grid's are not cut
  there_and_back(line, test.size - 1, {}, layouts[1], layouts[0]);
}

WHERRY_TEST(ranks_outside_the_grid, ranks(3, 8)) {
  const process_grid grid(test.comm, {.periodic = {false, false, false}, .extents = {2, 1, 1}});
  there_and_back(grid, 1, {}, wherry::c_layout<3>(), wherry::fortran_layout<3>());
  int known = test.rank == 1 ? 42 : 0;
  wherry::bcast_exchange everywhere(grid, {.root = 1}, view<int, 1>(std::span<int>(&known, 1)));
  everywhere();
  CHECK_EQUAL(known, test.rank < 2 ? 42 : 0);
}

WHERRY_TEST(broadcast_sections, ranks(1, 2, 3, 4, 8)) {
  const process_grid grid(test.comm, {.periodic = {true, true}});
  for (int root = 0; root < test.size; root += std::max(2, test.size / 4)) {
    std::vector<float> memory(6 * 5, -1.0f);
    const auto order = test.rank % 2 == 0 ? wherry::c_layout<2>() : wherry::fortran_layout<2>();
    const view<float, 2> array(memory.data(), {6, 5}, order);
    const box<2> part{{1, 2}, {5, 4}};
    std::vector<int> numbers(1000, -1);
    wherry::bcast_exchange everywhere(grid, {.root = root}, section_of(array, part),
                                      view<int, 1>(std::span<int>(numbers)));
    CHECK_EQUAL(everywhere.bound().schedule().stages.size(), std::bit_width(static_cast<unsigned>(test.size - 1)));
    for (int round = 0; round < 2; ++round) {
      if (test.rank == root) {
        for_each_point(part, [&](const auto& p) { array[p] = static_cast<float>(10 * p[0] + p[1] + round); });
        std::fill(numbers.begin(), numbers.end(), root + round);
      }
      everywhere();
      for_each_point(array.whole(), [&](const auto& p) {
        CHECK_EQUAL(array[p], part.contains(p) ? static_cast<float>(10 * p[0] + p[1] + round) : -1.0f);
      });
      CHECK(std::ranges::all_of(numbers, [&](int n) { return n == root + round; }));
    }
  }
}

WHERRY_TEST(errors_of_rooted_patterns, ranks(1, 2, 4)) {
  const process_grid grid(test.comm, {.periodic = {true}});
  const bool faulty = test.rank == test.size - 1;
  std::vector<double> memory(64), more(64);
  const auto whole = [&](index_t n) { return view<double, 1>(memory.data(), wherry::point<1>{n}); };
  const auto local = [&](index_t n) { return view<double, 1>(more.data(), wherry::point<1>{n}); };
  using scatter = wherry::scatter_exchange;
  using gather = wherry::gather_exchange;
  using broadcast = wherry::bcast_exchange;
  const index_t all = 2 * test.size;
  CHECK_THROWS_WITH(scatter(grid, whole(all), local(2), {.root = test.size}),
                    wherry::detail::text("'root' is ", test.size, ", expected a rank from 0 to").c_str());
  CHECK_THROWS_WITH(gather(grid, local(2), whole(all), {.root = -1}), "'root' is -1, expected a rank from 0 to");
  CHECK_THROWS_WITH(
      scatter(grid, whole(all), local(faulty ? 3 : 2)),
      wherry::detail::text("the subdomains have ", all + 1, " cells along dimension 0, but the global array has ", all)
          .c_str());
  CHECK_THROWS_WITH(gather(grid, view<double, 1>(nullptr, wherry::point<1>{2}), whole(all)), "null pointer");
  std::vector<float> floats(4);
  if (test.size > 1) {
    const auto narrow = [&] {
      if (faulty) return scatter(grid, whole(all), view<float, 1>(floats.data(), wherry::point<1>{2}));
      return scatter(grid, whole(all), local(2));
    };
    CHECK_THROWS_WITH(narrow(), "elements of 4 bytes on rank");
    CHECK_THROWS_WITH(broadcast(grid, whole(faulty ? 3 : 4)), "has 3 elements of 8 bytes on rank");
    CHECK_THROWS_WITH(broadcast(grid, {.root = faulty ? 1 : 0}, whole(4)), "the ranks disagree on the root");
  }
  const process_grid plane(test.comm, {.periodic = {true, true}, .extents = {test.size, 1}});
  const view<double, 2> square(memory.data(), {all, 2}), mine(more.data(), {3, 2});
  if (test.size > 1) CHECK_THROWS_WITH(scatter(plane, square, mine), "cells along dimension 0");
  CHECK_THROWS_WITH(scatter(plane, square, mine, {.axes = {0, 0}, .carry = {.transport = "auto"}}),
                    "it must occur once");
}
