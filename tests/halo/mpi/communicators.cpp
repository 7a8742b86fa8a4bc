// On any communicator, for as long as the exchange lives.
#include <optional>

#include "wherry/transport/transport.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// A ring on a communicator; checks one exchange of one cell on each side.
void ring(MPI_Comm comm, const std::string& transport = "auto") {
  const wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::halo_options options;
  options.carry.transport = transport;
  wherry::field<int, 1> u(grid.comm(), {3}, 1);
  wherry::halo_exchange exchange(grid, options, u);
  const int rank = grid.comm().rank(), size = grid.comm().size();
  for (int i = 0; i < 3; ++i) u(i) = 10 * rank + i;
  exchange();
  CHECK_EQUAL(u(-1), 10 * ((rank + size - 1) % size) + 2);
  CHECK_EQUAL(u(3), 10 * ((rank + 1) % size));
}

}  // namespace

WHERRY_TEST(predefined_communicators, ranks(1, 2, 4)) {
  ring(MPI_COMM_WORLD);
  ring(MPI_COMM_SELF);
  ring(MPI_COMM_WORLD);
}

WHERRY_TEST(sub_communicators, ranks(2, 3, 4, 6)) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank % 2, -test.rank, &half);  // the other way round
  for (const auto& name : usable_transports(half)) ring(half, name);
  // Both halves make windows at the same time. (Those of hundreds of simulated ranks take minutes.)
  for (int i = 0; i < (test.size <= 16 ? 30 : 0); ++i) ring(half, "one_sided");
  node_communicators nodes(half);
  for_each_case(test, 40, [&](random_case& now) {
    int size = 0;
    MPI_Comm_size(half, &size);
    auto what = random_halo_case(now.random, size);
    exchange_and_check(what, nodes.pick(now.random), now);
  });
  MPI_Comm_free(&half);
}

// Extents, periodicity and the order of the ranks come from MPI.
WHERRY_TEST(cartesian_communicators, ranks(1, 2, 4, 6)) {
  int extents[] = {0, 0};
  MPI_Dims_create(test.size, 2, extents);
  std::swap(extents[0], extents[1]);
  const int periods[] = {1, 0};
  MPI_Comm cartesian = MPI_COMM_NULL;
  MPI_Cart_create(test.comm, 2, extents, periods, 1, &cartesian);
  {
    const wherry::process_grid grid(cartesian);
    CHECK((grid.extents() == std::vector<int>{extents[0], extents[1]}));
    CHECK((grid.periodic() == std::vector<bool>{true, false}));
    for (int rank = 0; rank < test.size; ++rank) {
      int at[2];
      MPI_Cart_coords(cartesian, rank, 2, at);
      CHECK_EQUAL(grid.coordinates(rank)[0], at[0]);
      CHECK_EQUAL(grid.coordinates(rank)[1], at[1]);
      CHECK_EQUAL(grid.rank_at(grid.coordinates(rank)), rank);
    }
    const wherry::process_grid other(cartesian, {.periodic = {true, true}});
    CHECK((other.extents() == std::vector<int>{extents[0], extents[1]}));
    CHECK((other.periodic() == std::vector<bool>{true, true}));

    wherry::field<int, 2> u(grid.comm(), {2, 2}, 1);
    wherry::for_each_point(u.whole(), [&](const auto& p) { u[p] = -1; });
    wherry::for_each_point(u.core(), [&](const auto& p) { u[p] = grid.comm().rank(); });
    wherry::halo_exchange exchange(grid, u);
    exchange();
    for (const int direction : {0, 1}) {
      int below = 0, above = 0;
      MPI_Cart_shift(cartesian, direction, 1, &below, &above);
      const auto expect = [](int rank) { return rank == MPI_PROC_NULL ? -1 : rank; };
      CHECK_EQUAL(direction == 0 ? u(-1, 0) : u(0, -1), expect(below));
      CHECK_EQUAL(direction == 0 ? u(2, 0) : u(0, 2), expect(above));
    }
  }
  MPI_Comm_free(&cartesian);
}

// The user's communicator may go before the exchange and the fields do.
WHERRY_TEST(communicators_freed_early, ranks(1, 2, 3)) {
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &mine);
    std::optional<wherry::process_grid> grid(std::in_place, mine, wherry::process_grid_options{.periodic = {true}});
    wherry::halo_options options;
    options.carry.transport = name;
    wherry::field<int, 1> u(grid->comm(), {3}, 1);
    wherry::halo_exchange exchange(*grid, options, u);
    for (int i = 0; i < 3; ++i) u(i) = 10 * test.rank + i;
    exchange.start();
    grid.reset();
    MPI_Comm_free(&mine);
    exchange.wait();
    exchange();
    CHECK_EQUAL(u(-1), 10 * ((test.rank + test.size - 1) % test.size) + 2);
    CHECK_EQUAL(u(3), 10 * ((test.rank + 1) % test.size));
  }
}

// Communicators come and go; nothing of an old one is taken for a new one.
WHERRY_TEST(many_communicators, ranks(1, 2, 4)) {
  for (int i = test.size > 2 ? 8 : 0; i < 10; ++i) {
    MPI_Comm mine = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &mine);
    ring(mine);
    MPI_Comm_free(&mine);
  }
}

// Exchanges are values: moved while bound, moved from, destroyed while started.
WHERRY_TEST(exchanges_move_and_end, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  for (const auto& name : usable_transports(test.comm)) {
    wherry::halo_options options;
    options.carry.transport = name;
    wherry::field<int, 1> u(grid.comm(), {2}, 1);
    std::vector<wherry::halo_exchange> list;
    for (int i = 0; i < 5; ++i) list.emplace_back(grid, options, u);
    for (auto& exchange : list) {
      u(0) = u(1) = test.rank + 1;
      u(-1) = u(2) = 0;
      exchange();
      CHECK_EQUAL(u(-1), (test.rank + test.size - 1) % test.size + 1);
      CHECK_EQUAL(u(2), (test.rank + 1) % test.size + 1);
    }
    list.back().start();
    list.clear();  // waits
    CHECK_EQUAL(u(2), (test.rank + 1) % test.size + 1);
  }
}
