// One rank of a ring over gpi2 ends itself by SIGKILL between two exchanges. The others learn of it, by
// name. Launched so that the job survives; ends by _exit, since MPI_Finalize may wait for the dead.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "wherry/gpi2/gpi2.hpp"
#include "wherry/wherry.hpp"

int main(int argc, char** argv) {
  constexpr int victim = 1;
  int gets = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &gets);
  wherry::use_gpi2();
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
  const int rank = grid.comm().rank();
  wherry::field<double, 1> u(grid.comm(), {8}, 2);
  wherry::halo_options options;
  options.carry.transport = "gpi2";
  wherry::halo_exchange exchange(grid, options, u);
  try {
    for (int step = 0; step < 1000; ++step) {
      if (rank == victim && step == 500) raise(SIGKILL);
      exchange();
    }
    std::printf("rank %d: wrong: it goes on with a dead rank\n", rank);
  } catch (const wherry::error& problem) {
    // The other survivor may have come to its end before this one looks.
    const auto dead = problem.peers();
    const bool named = problem.kind() == wherry::error_kind::lost && std::count(dead.begin(), dead.end(), victim) == 1;
    std::printf("rank %d: %s: %s\n", rank, named ? "has lost rank 1" : "wrong", problem.what());
  }
  std::fflush(nullptr);
  _exit(0);
}
