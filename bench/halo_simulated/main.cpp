// bench_halo_simulated: measures halo exchanges in SimGrid's time. A line for each has its name, the ranks of a brick
// along each dimension, and the simulated seconds of the slowest rank (tools/run/simgrid.py explains the unit).
//
//   bench_halo_simulated orders CELLS…      ranks in rows beside ranks in bricks of a node, the six faces
//   bench_halo_simulated transports CELLS…  ways to carry it, ranks in bricks, all 26 neighbours
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wherry/core/mpi.hpp"
#include "wherry/halo/halo.hpp"

#include "harness/simulated_time.hpp"

namespace {

struct variant {
  const char* name;
  wherry::rank_order order;
  wherry::stencil_shape stencil;
  std::string transport;
};

void measure(const variant& one, const wherry::communicator& comm, long cells) {
  const wherry::process_grid grid(comm, {.periodic = {true, true, true}, .order = one.order});
  std::vector<double> values(static_cast<std::size_t>((cells + 2) * (cells + 2) * (cells + 2)));
  wherry::halo_exchange exchange(grid, {.stencil = one.stencil, .carry = {.transport = one.transport}},
                                 wherry::halo_around(values, {cells, cells, cells}, 1));
  for (int i = 0; i < 3; ++i) exchange();  // first runs, which make memory and use both buffers
  const double taken = bench::simulated_seconds(exchange);
  if (comm.rank() == 0)
    std::printf("%s %d %d %d %.1f\n", one.name, grid.brick()[0], grid.brick()[1], grid.brick()[2], taken);
}

}  // namespace

int main(int argc, char** argv) {
  using wherry::rank_order;
  const auto faces = wherry::stencil_shape::faces();
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  {
    const wherry::communicator comm(MPI_COMM_WORLD);
    const bool transports = std::string_view(argv[1]) == "transports";
    for (int i = 2; i < argc; ++i) {
      const long cells = std::atol(argv[i]);  // along a side of each rank
      if (!transports) {
        measure({"rows", rank_order::rows, faces, "two_sided"}, comm, cells);
        measure({"bricks", rank_order::node_bricks, faces, "two_sided"}, comm, cells);
        continue;
      }
      for (const char* const name : {"two_sided", "one_sided", "aggregated", "auto"})
        measure({name, rank_order::node_bricks, {}, name}, comm, cells);
    }
  }
  MPI_Finalize();
  return 0;
}
