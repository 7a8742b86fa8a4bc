// Halos on process grids that are wider than the next rank's core, or than the whole domain: each cell of them against
// the cell of the domain that it repeats.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::halo_order;
using wherry::index_t;
using wherry::point;

namespace {

constexpr std::array every_order{halo_order::automatic, halo_order::direct, halo_order::wrapped_last,
                                 halo_order::by_dimension};

index_t wrapped(index_t place, index_t cells) { return (place % cells + cells) % cells; }

/// Cells of a domain in two dimensions, of which this rank has a box, in a field.
struct wide_field {
  std::array<bool, 2> periodic;
  point<2> cells, first;
  wherry::field<double, 2> u;

  /// Where a cell of the array lies in the domain; false if it lies beyond an edge.
  bool find(point<2> at, point<2>& place) const {
    for (std::size_t d = 0; d < 2; ++d) {
      place[d] = at[d] + first[d];
      if (periodic[d]) place[d] = wrapped(place[d], cells[d]);
      if (place[d] < 0 || place[d] >= cells[d]) return false;
    }
    return !u.core().empty();
  }
  static double value(const point<2>& place) { return static_cast<double>(1000 * place[0] + place[1]); }
  void fill() {
    for_each_point(u.whole(), [&](const point<2>& at) {
      point<2> place;
      u[at] = u.core().contains(at) && find(at, place) ? value(place) : -1;
    });
  }
  std::size_t wrong() {
    std::size_t count = 0;
    for_each_point(u.whole(), [&](const point<2>& at) {
      point<2> place;
      count += u[at] != (find(at, place) ? value(place) : -1) ? 1 : 0;
    });
    return count;
  }
};

void exchange_by_all(MPI_Comm comm, const wherry::process_grid& grid, wide_field& of) {
  for (const auto& transport : usable_transports(comm))
    for (const auto order : every_order) {
      of.fill();
      wherry::halo_exchange exchange(grid, {.order = order, .carry = {.transport = transport}}, of.u);
      exchange();
      if (const auto count = of.wrong(); fault(count != 0))
        FAIL(transport + ", order " + std::to_string(static_cast<int>(order)) + ": " + std::to_string(count) +
             " wrong cells");
    }
}

}  // namespace

// One cell of each rank along one dimension, and one rank around the other.
WHERRY_TEST(thin_domains, ranks(1, 2, 3, 4, 8)) {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const wherry::process_grid grid(test.comm, {.periodic = {first, second}, .extents = {test.size, 1}});
      const point<2> cells{test.size, 2};
      wide_field of{{first, second}, cells, {test.rank, 0}, {grid.comm(), {1, 2}, {{3, 5}, {2, 7}}}};
      exchange_by_all(test.comm, grid, of);
    }
}

// Every third rank has cells, and the others say that they have none in any dimension, and no halo.
WHERRY_TEST(halos_reach_over_ranks_without_cells, ranks(1, 2, 3, 4, 8)) {
  for (const bool periodic : {false, true}) {
    const wherry::process_grid grid(test.comm, {.periodic = {periodic, true}, .extents = {test.size, 1}});
    point<2> cells{0, 3}, first{}, mine{};
    for (int r = 0; r < test.size; ++r) {
      const index_t here = r % 3 == 1 ? 2 - r / 3 % 2 : 0;
      if (r == test.rank) first[0] = cells[0], mine = here > 0 ? point<2>{here, 3} : point<2>{};
      cells[0] += here;
    }
    const auto widths = mine == point<2>{} ? wherry::halo_widths<2>(0) : wherry::halo_widths<2>{{4, 4}, {3, 3}};
    wide_field of{{periodic, true}, cells, first, {grid.comm(), mine, widths}};
    exchange_by_all(test.comm, grid, of);
  }
}

// Among these are fields of several widths and types, parts of the directions, uneven cores and floor plans.
WHERRY_TEST(random_wide_halos_by_all_transports, ranks(1, 2, 3, 4, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    const MPI_Comm comm = comms.pick(now.random);
    auto what = random_halo_case(now.random, test.size, {.fields = 2, .wide = 100, .cells = 1000});
    for (const auto& transport : usable_transports(comm)) {
      what.options.carry.transport = transport;
      exchange_and_check(what, comm, now);
    }
  });
}

// Each cell has several copies on one rank. All of them get the same bits, by all transports.
WHERRY_TEST(copies_of_wide_halos_are_combined, ranks(1, 2, 3, 4, 8)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}, .extents = {test.size, 1}});
  const auto place_of = [&](int rank, const point<2>& at) {
    return static_cast<std::size_t>(wrapped(at[0] + rank, test.size) + test.size * wrapped(at[1], 2));
  };
  const auto bits_at = [&](int rank, const point<2>& at) { return hash(test.seed, rank, at[0], at[1]); };
  std::vector<std::uint64_t> first;
  for (const auto& transport : usable_transports(test.comm)) {
    wherry::field<std::int64_t, 2> whole(grid.comm(), {1, 2}, {{3, 3}, {2, 5}});
    wherry::field<double, 2> real(grid.comm(), {1, 2}, {{3, 3}, {2, 5}});
    std::vector<std::int64_t> sums(static_cast<std::size_t>(2 * test.size));
    for (int rank = 0; rank < test.size; ++rank)
      for_each_point(whole.whole(), [&](const point<2>& at) {
        const auto number = static_cast<std::int64_t>(bits_at(rank, at) % 1000);
        sums[place_of(rank, at)] += number;
        if (rank == test.rank) whole[at] = number, real[at] = 1.0 / static_cast<double>(number + 1);
      });
    wherry::halo_exchange(grid, {.combine_copies = std::plus<>{}, .carry = {.transport = transport}}, whole, real)();
    std::vector<std::uint64_t> bits(sums.size());
    for_each_point(whole.core(),
                   [&](const point<2>& at) { bits[place_of(test.rank, at)] = std::bit_cast<std::uint64_t>(real[at]); });
    MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()), MPI_UINT64_T, MPI_SUM, test.comm);
    if (first.empty()) first = bits;
    CHECK(bits == first);
    std::size_t wrong = 0;
    for_each_point(whole.whole(), [&](const point<2>& at) {
      const auto place = place_of(test.rank, at);
      wrong += whole[at] != sums[place] || std::bit_cast<std::uint64_t>(real[at]) != bits[place] ? 1 : 0;
    });
    CHECK_EQUAL(wrong, 0u);
  }
}

// Layers of a wide halo: some of them are the next rank's, others come from beyond.
WHERRY_TEST(some_layers_of_wide_halos, ranks(1, 2, 3, 4)) {
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  wherry::field<int, 1> u(ring.comm(), {2}, 7);
  wherry::halo_exchange exchange(ring, u);
  for (index_t depth = 0; depth <= 7; ++depth) {
    for (int i = -7; i < 9; ++i) u(i) = i == 0 || i == 1 ? 2 * test.rank + i : -1;
    exchange.only({0}, depth)();
    for (int i = -7; i < 9; ++i) {
      const bool filled = i >= -depth && i < 2 + depth;
      CHECK_EQUAL(u(i), filled ? static_cast<int>(wrapped(2 * test.rank + i, 2 * test.size)) : -1);
    }
  }
}

// From where they are sent to where they are copies: several of one cell need an update.
WHERRY_TEST(wide_halos_sent_back_need_an_update, ranks(1, 2, 3, 4)) {
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  wherry::field<int, 1> u(ring.comm(), {1}, 2);
  const auto bind = [&](const wherry::halo_options& how) { wherry::halo_exchange(ring, how, u); };
  CHECK_THROWS_WITH(bind({.reverse = true}), "'reverse' needs an 'update', such as std::plus<>{}");
  for (int i = -2; i < 3; ++i) u(i) = 1;
  wherry::halo_exchange(ring, {.reverse = true, .update = std::plus<>{}}, u)();
  CHECK_EQUAL(u(0), 5);
}
