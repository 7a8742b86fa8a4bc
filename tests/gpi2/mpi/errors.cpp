// What use_gpi2 says before it may be used, and of a GASPI that does not have MPI's ranks.
#include <PGASPI.h>

#include <string>

#include "wherry/gpi2/gpi2.hpp"
#include "wherry/transport/transport.hpp"
#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

namespace {

bool has_other_ranks = false;

/// Each rank of a ring gets its neighbours' values.
void exchange_in_a_ring(MPI_Comm comm) {
  const wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::field<int, 1> u(grid.comm(), {3}, 1);
  wherry::halo_options options;
  options.carry.transport = "gpi2";
  wherry::halo_exchange exchange(grid, options, u);
  const int rank = grid.comm().rank(), size = grid.comm().size();
  for (int i = 0; i < 3; ++i) u(i) = 10 * rank + i;
  exchange();
  CHECK_EQUAL(u(-1), 10 * ((rank + size - 1) % size) + 2);
  CHECK_EQUAL(u(3), 10 * ((rank + 1) % size));
}

}  // namespace

gaspi_return_t gaspi_proc_rank(gaspi_rank_t* const rank) {
  const auto status = pgaspi_proc_rank(rank);
  gaspi_rank_t ranks = 1;
  if (status == GASPI_SUCCESS && has_other_ranks && pgaspi_proc_num(&ranks) == GASPI_SUCCESS)
    *rank = static_cast<gaspi_rank_t>(ranks - 1 - *rank);
  return status;
}

// In this order: the later ones find GASPI running.
WHERRY_TEST(before_use_there_is_no_such_transport, ranks(1, 2, 3)) {
  CHECK_THROWS_WITH(exchange_in_a_ring(test.comm), "there is no transport named 'gpi2'");
}

WHERRY_TEST(other_ranks_than_mpi_are_an_error, ranks(2, 3, 4)) {
  gaspi_config_t limits;
  gaspi_config_get(&limits);
  limits.notification_num = 4;
  CHECK(gaspi_config_set(limits) == GASPI_SUCCESS);
  has_other_ranks = true;
  CHECK_THROWS_WITH(wherry::use_gpi2(), "to GASPI, and rank");
  has_other_ranks = false;
  wherry::use_gpi2();
  exchange_in_a_ring(test.comm);
}

WHERRY_TEST(auto_leaves_it_alone, ranks(1, 2, 3)) {
  wherry::use_gpi2();
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<int, 1> u(grid.comm(), {3}, 1);
  const wherry::halo_exchange exchange(grid, u);
  CHECK(exchange.transport() != "gpi2");
  if (test.size > 1) CHECK(exchange.explain().find("gpi2: taken only by name") != std::string::npos);
}

// Each of four ranks has three neighbours: six notifications.
WHERRY_TEST(notifications_that_do_not_suffice_are_an_error, ranks(4)) {
  wherry::use_gpi2();
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}, .extents = {2, 2}});
  wherry::field<int, 2> u(grid.comm(), {3, 3}, 1);
  wherry::halo_options options;
  options.carry.transport = "gpi2";
  options.order = wherry::halo_order::direct;
  CHECK_THROWS_WITH(wherry::halo_exchange(grid, options, u),
                    "a notification for each of 6 messages of a stage, but a "
                    "segment of GASPI has 4");
  exchange_in_a_ring(test.comm);  // a ring needs four
}

// The ranks of a communicator are not those of the world.
WHERRY_TEST(ranks_are_translated, ranks(2, 3, 4)) {
  wherry::use_gpi2();
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank % 2, -test.rank, &half);
  exchange_in_a_ring(half);
  MPI_Comm_free(&half);
}
