// What limited.py runs under limits: fields until there is no memory left or there are enough of them, and a ring; or
// an exchange of long messages by one transport.
//   limits_program [megabytes for each rank [transport]]
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

// In memory of the user's, which no shared memory backs.
void exchange_much(const wherry::process_grid& grid, const char* transport, wherry::index_t megabytes) {
  const wherry::index_t width = megabytes << 16;  // a message to each side
  std::vector<double> mine(static_cast<std::size_t>(4 * width), grid.comm().rank());
  const auto u = wherry::halo_around(mine, {2 * width}, width);
  try {
    wherry::halo_exchange exchange(grid, {.carry = {.transport = transport}}, u);
    exchange();
    std::printf("rank %d: exchanged\n", grid.comm().rank());
  } catch (const wherry::error& full) {
    std::printf("rank %d: %s\n", grid.comm().rank(), full.what());
  }
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
  if (argc > 2) {
    exchange_much(grid, argv[2], std::atoi(argv[1]));
    if (!ring_is_right(grid)) return 1;
    std::printf("rank %d: done\n", comm.rank());
    return 0;
  }
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
