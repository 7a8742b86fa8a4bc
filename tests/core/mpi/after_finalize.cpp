// What a program may still do with Wherry's objects once MPI has ended: be told so, and destroy them. Prints the
// errors.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <memory>
#include <vector>

#include "support/say.hpp"

using wherry_test::say;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
    wherry::field<double, 1> u(grid.comm(), {4}, 1), v(grid.comm(), {40000}, 1);
    std::vector<std::unique_ptr<wherry::halo_exchange>> idle, flying;
    for (const char* name :
         {"auto", "two_sided", "persistent", "mpi_pack", "datatype", "neighborhood", "one_sided", "aggregated"}) {
      wherry::halo_options how;
      how.carry.transport = name;
      idle.push_back(std::make_unique<wherry::halo_exchange>(grid, how, u));
      (*idle.back())();
      flying.push_back(std::make_unique<wherry::halo_exchange>(grid, how, v));
    }
    // Rank 1 never starts: rank 0's stay in flight.
    if (rank == 0)
      for (auto& exchange : flying) exchange->start();
    if (rank == 0) flying[1]->abandon();
    MPI_Finalize();
    if (rank == 0) {
      say("start", [&] { idle[0]->start(); });
      say("start other", [&] { idle[1]->start(u); });
      say("wait", [&] { flying[0]->wait(); });
      say("test", [&] { flying[2]->test(); });
      say("bind", [&] { wherry::halo_exchange(grid, u)(); });
      say("communicator", [&] { wherry::communicator(MPI_COMM_WORLD); });
    }
  }
  if (rank == 0) std::printf("all destroyed\n");
}
