// Writes generation after generation of a structure a rank, to one checkpoint and to a file of each rank's own, until
// somebody kills it; or reads what is there. kill_writer.py does both.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

#include "wherry/core/mpi.hpp"

#include "deep/mpi/checkpoint_tree.hpp"

namespace {

namespace deep = wherry::deep;
using wherry_test::forest;

constexpr int depth = 13;

int write_for_ever(const std::string& path, int rank) {
  std::printf("pid %d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  for (std::uint64_t generation = 1;; ++generation) {
    const wherry_test::planted mine(static_cast<std::uint64_t>(rank), generation, depth);
    const bool buffered = generation % 2 == 0, sync = generation % 3 == 0;
    deep::write(path + std::to_string(rank), mine.it, {.buffered = buffered, .sync = sync});
    deep::save_all(MPI_COMM_WORLD, path, mine.it, {.buffered = buffered, .sync = sync});
    if (rank == 0) std::printf("wrote %llu\n", static_cast<unsigned long long>(generation));
    std::fflush(stdout);
  }
}

/// Whether the forest, which is freed, is the given one.
long faults_of(forest& found, int rank, std::uint64_t step) {
  const bool right = wherry_test::is_forest_of(found, static_cast<std::uint64_t>(rank), step, depth);
  found.itself = nullptr;
  deep::destroy(found);
  return right ? 0 : 1;
}

int read(const std::string& path, int rank) {
  auto all = deep::load_all<forest>(MPI_COMM_WORLD, path);
  std::uint64_t generation = all.empty() ? 0 : all.front().object.step;
  MPI_Allreduce(MPI_IN_PLACE, &generation, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  long wrong = 0;
  for (auto& [owner, found] : all) {
    wrong += faults_of(found, owner, generation);
    // A rank writes its own file first.
    forest alone;
    deep::read(path + std::to_string(owner), alone);
    const auto step = alone.step;
    wrong += step == generation || step == generation + 1 ? 0 : 1;
    wrong += faults_of(alone, owner, step);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("read %llu, %ld structures wrong\n", static_cast<unsigned long long>(generation), wrong);
  return wrong == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  if (argc != 3) return 2;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return std::string_view(argv[1]) == "write" ? write_for_ever(argv[2], rank) : read(argv[2], rank);
}

}  // namespace

int main(int argc, char** argv) { return wherry::run_main(argc, argv, run); }
