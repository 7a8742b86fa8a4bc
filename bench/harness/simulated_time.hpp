/// @file
/// Measures in the time of a simulated network (SimGrid's), which no machine disturbs.
#pragma once

#include <mpi.h>

namespace bench {

/// Collective over MPI_COMM_WORLD. Runs something once on all ranks together. Returns the simulated seconds of the
/// slowest rank (tools/run/simgrid.py explains the unit).
template <class Run> double simulated_seconds(Run&& run) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  run();
  const double mine = MPI_Wtime() - begun;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

}  // namespace bench
