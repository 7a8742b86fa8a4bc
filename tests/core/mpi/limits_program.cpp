// What limited.py runs under limits: fields until there is no memory left or there are enough of them, and a ring.
//   limits_program [megabytes for each rank]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/wherry.hpp"

namespace {

bool ring_is_right(const wherry::process_grid& grid) {
  wherry::field<double, 1> u(grid.comm(), {1000}, 1);
  wherry::halo_exchange exchange(grid, u);
  const int rank = grid.comm().rank(), size = grid.comm().size();
  u(0) = u(999) = rank;
  exchange();
  return u(-1) == (rank + size - 1) % size && u(1000) == (rank + 1) % size;
}

int run(int argc, char** argv) {
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
  const auto& comm = grid.comm();
  const auto* arena = comm.arena();
  std::printf("rank %d: %s\n", comm.rank(),
              arena == nullptr  ? "no arena"
              : arena->is_cut() ? "a cut arena"
                                : "an arena");
  if (!ring_is_right(grid)) return 1;
  constexpr wherry::index_t cells = 8 << 20, megabytes = 64;
  std::vector<wherry::field<double, 1>> fields;
  try {
    for (int left = argc > 1 ? std::atoi(argv[1]) : 0; left > 0; left -= static_cast<int>(megabytes)) {
      fields.emplace_back(comm, wherry::point<1>{cells}, 0);
      for (wherry::index_t i = 0; i < cells; i += 512) fields.back()(i) = 1;  // a page each
    }
    std::printf("rank %d: room for all\n", comm.rank());
  } catch (const wherry::error& full) {
    std::printf("rank %d: %s\n", comm.rank(), full.what());
  }
  fields.clear();
  MPI_Barrier(MPI_COMM_WORLD);
  if (!ring_is_right(grid)) return 1;
  std::printf("rank %d: done\n", comm.rank());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return wherry::run_main(argc, argv, run); }
