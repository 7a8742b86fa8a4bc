// Rank 0 of 4 gives up exchanges of two stages and goes to MPI_Finalize; the others start them late and need its second
// stage. Both the progress thread and MPI_Finalize drive them there.
#include <wherry/wherry.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) wherry::configure("progress_thread", "1");
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true}, .extents = {2, 2}});
  wherry::field<int, 2> u(grid.comm(), {4, 4}, 1);
  std::vector<std::unique_ptr<wherry::halo_exchange>> exchanges;
  for (const char* name : {"auto", "two_sided", "persistent", "shared", "datatype", "mpi_pack"}) {
    wherry::halo_options how;
    how.carry.transport = name;
    how.order = wherry::halo_order::by_dimension;
    exchanges.push_back(std::make_unique<wherry::halo_exchange>(grid, how, u));
  }
  for_each_point(u.core(), [&](const auto& p) { u[p] = 100 * mpi.rank(); });
  const int opposite = 3 - mpi.rank();
  if (mpi.rank() == 0) {
    for (auto& exchange : exchanges) exchange->start();
    for (auto& exchange : exchanges) exchange->abandon();
    return 0;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  int wrong = 0;
  for (auto& exchange : exchanges) {
    u(-1, -1) = u(4, 4) = -1;
    (*exchange)();
    wrong += u(-1, -1) != 100 * opposite || u(4, 4) != 100 * opposite ? 1 : 0;
  }
  std::printf("rank %d: %d wrong\n", mpi.rank(), wrong);
  return wrong == 0 ? 0 : 1;
}
