// bench_halo_simulated: what a halo exchange takes in SimGrid's time, ranks in rows beside ranks in bricks of a node. A
// line for each: "rows" or "bricks", ranks of a brick along each dimension, simulated seconds of the slowest rank (of
// which tools/run/simgrid.py says what they stand for).
#include <cstdio>
#include <cstdlib>

#include "wherry/core/mpi.hpp"
#include "wherry/halo/halo.hpp"

namespace {

double seconds_of(wherry::halo_exchange& exchange) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  exchange();
  const double mine = MPI_Wtime() - begun;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void measure(const char* name, wherry::rank_order order, const wherry::communicator& comm, long cells) {
  const wherry::process_grid grid(comm, {.periodic = {true, true, true}, .order = order});
  std::vector<double> values(static_cast<std::size_t>((cells + 2) * (cells + 2) * (cells + 2)));
  wherry::halo_exchange exchange(grid, {.stencil = wherry::stencil_shape::faces(), .carry = {.transport = "two_sided"}},
                                 wherry::halo(values, {cells + 2, cells + 2, cells + 2}, 1));
  seconds_of(exchange);  // once for what is made at first
  const double taken = seconds_of(exchange);
  if (comm.rank() == 0)
    std::printf("%s %d %d %d %.1f\n", name, grid.brick()[0], grid.brick()[1], grid.brick()[2], taken);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const wherry::communicator comm(MPI_COMM_WORLD);
    for (int i = 1; i < argc; ++i) {  // cells a side of each rank
      measure("rows", wherry::rank_order::rows, comm, std::atol(argv[i]));
      measure("bricks", wherry::rank_order::node_bricks, comm, std::atol(argv[i]));
    }
  }
  MPI_Finalize();
  return 0;
}
