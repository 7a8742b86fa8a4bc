// Copies whose source and destination share cells: as if all were read before any is written.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

using wherry::index_t;

// One box of 6 × 7 × 5 cells a rank, of two components.
constexpr index_t nx = 6, ny = 7, nz = 5;
using box = wherry::box<3>;
using array = wherry::x_array<double, 3>;

wherry::floor_plan<3> column(const context& test) {
  wherry::floor_plan<3> plan;
  for (int i = 0; i < test.size; ++i) plan.add({{0, 0, nz * i}, {nx, ny, nz * (i + 1)}}, i);
  return plan;
}

std::vector<double> contents(const array& u, int rank) {
  std::vector<double> result;
  const auto& values = u[rank];
  for (int c = 0; c < 2; ++c)
    for (index_t k = nz * rank; k < nz * (rank + 1); ++k)
      for (index_t j = 0; j < ny; ++j)
        for (index_t i = 0; i < nx; ++i) result.push_back(values({i, j, k}, c));
  return result;
}
std::size_t place(const wherry::point<3>& p, int component, int rank) {
  return static_cast<std::size_t>(p[0] + nx * (p[1] + ny * (p[2] - nz * rank + nz * component)));
}

void fill(array& u, int rank) {
  const auto& values = u[rank];
  for (int c = 0; c < 2; ++c)
    for (index_t k = nz * rank; k < nz * (rank + 1); ++k)
      for (index_t j = 0; j < ny; ++j)
        for (index_t i = 0; i < nx; ++i)
          values({i, j, k}, c) = static_cast<double>(place({i, j, k}, c, rank)) + 1000.0 * rank;
}

// A section and where it goes within the same box.
struct shifted {
  box from, to;
};
shifted random_shift(random_numbers& random) {
  const wherry::point<3> whole{nx, ny, nz};
  shifted s;
  for (std::size_t d = 0; d < 3; ++d) {
    const int whole_extent = static_cast<int>(whole[d]), extent = random.between(1, whole_extent);
    s.from.lower[d] = random.between(0, whole_extent - extent);
    s.to.lower[d] = random.between(0, whole_extent - extent);
    s.from.upper[d] = s.from.lower[d] + extent;
    s.to.upper[d] = s.to.lower[d] + extent;
  }
  return s;
}
box on_rank(const box& b, int rank) { return wherry::shift<3>(b, {0, 0, nz * rank}); }

// What is there afterwards, by way of a copy of everything.
std::vector<double> moved(std::vector<double> before, const shifted& s, int rank, bool adds) {
  auto after = before;
  for (int c = 0; c < 2; ++c)
    for (index_t k = s.from.lower[2]; k < s.from.upper[2]; ++k)
      for (index_t j = s.from.lower[1]; j < s.from.upper[1]; ++j)
        for (index_t i = s.from.lower[0]; i < s.from.upper[0]; ++i) {
          const wherry::point<3> from{i, j, k + nz * rank},
              to{i - s.from.lower[0] + s.to.lower[0], j - s.from.lower[1] + s.to.lower[1],
                 k - s.from.lower[2] + s.to.lower[2] + nz * rank};
          auto& target = after[place(to, c, rank)];
          target = before[place(from, c, rank)] + (adds ? target : 0);
        }
  return after;
}

}  // namespace

// Shift by some cells in place: the case, in both directions.
WHERRY_TEST(rows_shifted_in_place, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  constexpr index_t length = 100;
  wherry::floor_plan<1> row;
  for (int i = 0; i < test.size; ++i) row.add({{length * i}, {length * (i + 1)}}, i);
  for (const index_t by : {1, -1, 3, -50, 99}) {
    wherry::x_array<index_t, 1> u(comm, row);
    wherry::motion_plan<1> plan;
    for (int i = 0; i < test.size; ++i) {
      const index_t first = length * i + std::max<index_t>(0, -by), last = length * (i + 1) - std::max<index_t>(0, by);
      plan.copy(i, {{first}, {last}}, i, {{first + by}, {last + by}});
    }
    const auto& cells = u[test.rank];
    const index_t begin = length * test.rank;
    for (index_t i = begin; i < begin + length; ++i) cells(i) = i;
    wherry::mover move(plan, u, u);
    move();
    for (index_t i = begin; i < begin + length; ++i) {
      const index_t from = i - by;
      CHECK_EQUAL(cells(i), from >= begin && from < begin + length ? from : i);
    }
  }
}

WHERRY_TEST(sections_moved_within_a_box, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  for_each_case(test, 400, [&](random_case& now) {
    const auto s = random_shift(now.random);
    const bool adds = now.random.chance(30), c_order = now.random.chance(50);
    array u(comm, column(test),
            {.layout = c_order ? wherry::c_layout<3>() : wherry::fortran_layout<3>(), .components = 2});
    wherry::motion_plan<3> plan;
    for (int r = 0; r < test.size; ++r) plan.copy(r, on_rank(s.from, r), r, on_rank(s.to, r));
    wherry::mover_options how;
    if (adds) how.update = std::plus<>{};
    wherry::mover move(plan, u, u, how);
    fill(u, test.rank);
    const auto before = contents(u, test.rank);
    move();
    CHECK(contents(u, test.rank) == moved(before, s, test.rank, adds));
  });
}

// A square onto itself, rows to columns.
WHERRY_TEST(transposed_in_place, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  wherry::floor_plan<2> plan;
  wherry::motion_plan<2> turned;
  for (int i = 0; i < test.size; ++i) {
    plan.add({{0, 8 * i}, {8, 8 * i + 8}}, i);
    turned.add({i, i, plan[i], plan[i], {1, 0}});
  }
  wherry::x_array<int, 2> u(comm, plan);
  const auto& cells = u[test.rank];
  const index_t first = 8 * test.rank;
  for (index_t j = 0; j < 8; ++j)
    for (index_t i = 0; i < 8; ++i) cells(i, first + j) = static_cast<int>(10 * i + j);
  wherry::mover move(turned, u, u);
  move();
  for (index_t j = 0; j < 8; ++j)
    for (index_t i = 0; i < 8; ++i) CHECK_EQUAL(cells(i, first + j), 10 * j + i);
}

WHERRY_TEST(points_moved_within_a_part, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  for (const bool interleaved : {true, false}) {
    wherry::index_floor_plan<> plan;
    wherry::index_motion_plan<wherry::index_set> motions;
    for (int r = 0; r < test.size; ++r) {
      plan.add(wherry::index_set::range(50 * r, 50 * r + 50), r);
      motions.copy(r, wherry::index_set::range(50 * r, 50 * r + 40), r,
                   wherry::index_set::range(50 * r + 1, 50 * r + 41));
    }
    wherry::index_array<double, wherry::index_set> u(comm, plan, {.components = 2, .interleaved = interleaved});
    const auto& values = u[test.rank];
    for (index_t i = 0; i < 50; ++i)
      for (int c = 0; c < 2; ++c) values(i, c) = static_cast<double>(2 * i + c);
    wherry::mover move(motions, u, u);
    move();
    for (index_t i = 0; i < 50; ++i)
      for (int c = 0; c < 2; ++c)
        CHECK_EQUAL(values(i, c), static_cast<double>(2 * (i >= 1 && i <= 40 ? i - 1 : i) + c));
  }
}

// Two arrays of the user's over the same memory, a few cells apart; then apart, and again together.
WHERRY_TEST(arrays_over_the_same_memory, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  constexpr index_t length = 60;
  wherry::floor_plan<1> row;
  wherry::motion_plan<1> plan;
  for (int i = 0; i < test.size; ++i) {
    row.add({{length * i}, {length * (i + 1)}}, i);
    plan.copy(i, i, row[i]);
  }
  const auto over = [&](std::vector<double>& memory, std::size_t first) {
    const wherry::grid_view<double, 1> cells(memory.data() + first, row[test.rank]);
    return wherry::x_array<double, 1>(comm, row, std::span(&cells, 1));
  };
  std::vector<double> memory(80), elsewhere(80);
  auto low = over(memory, 0), high = over(memory, 7), other = over(elsewhere, 0);
  const auto check = [&](const std::vector<double>& into, std::size_t from, std::size_t to, const auto& move) {
    std::iota(memory.begin(), memory.end(), 1.0);
    std::fill(elsewhere.begin(), elsewhere.end(), 0.0);
    auto expected = into;
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) expected[to + i] = memory[from + i];
    move();
    CHECK(into == expected);
  };
  wherry::mover move(plan, low, high);
  check(memory, 0, 7, [&] { move(); });
  check(memory, 7, 0, [&] { move.start(high, low), move.wait(); });
  check(elsewhere, 0, 0, [&] { move.start(low, other), move.wait(); });
  check(memory, 0, 7, [&] { move.start(low, high), move.wait(); });
}

// A schedule of one's own: what the plan does not say is found by the checking mode.
WHERRY_TEST(unknown_overlaps_are_refused_when_checked, ranks(1, 2)) {
  const setting checked("check", "1", "0");
  const wherry::communicator comm(test.comm);
  const std::int64_t extents[] = {9}, strides[] = {8};
  wherry::plans::schedule plan;
  plan.pattern = "shift";
  plan.fields = {{"u", 8, 0, 80}};
  plan.stages.resize(1);
  plan.add_copy(plan.stages[0], {wherry::plans::strided_block(0, 8, 0, extents, strides),
                                 wherry::plans::strided_block(0, 8, 8, extents, strides)});
  CHECK_THROWS_WITH(wherry::exchange(comm, plan), "which a copy at the same time writes");
  plan.stages[0].copies[0].overlaps = true;
  wherry::exchange move(comm, plan);
  std::vector<double> u(10);
  std::iota(u.begin(), u.end(), 0.0);
  void* const table[] = {u.data()};
  move.start(table);
  move.wait();
  for (std::size_t i = 0; i < 10; ++i) CHECK_EQUAL(u[i], i == 0 ? 0.0 : static_cast<double>(i - 1));
}
