// Writes generation after generation of an array to one path until somebody kills it, or reads what is there.
// kill_writer.py does both.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string_view>

#include "wherry/wherry.hpp"

namespace {

using array = wherry::x_array<double, 2>;

wherry::floor_plan<2> slabs(int count, int ranks) {
  wherry::floor_plan<2> plan;
  for (int i = 0; i < count; ++i) plan.add({{0, 1000L * i / count}, {1000, 1000L * (i + 1) / count}}, i % ranks);
  return plan;
}

double value(long generation, const wherry::point<2>& p) {
  return static_cast<double>(generation) + 1e-7 * static_cast<double>(p[0] + 1000 * p[1]);
}

int write_for_ever(const wherry::communicator& comm, const char* path) {
  std::printf("pid %d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  array u(comm, slabs(6, comm.size()));
  for (long generation = 1;; ++generation) {
    for (const auto& [number, cells, values] : u.blocks())
      for_each_point(cells, [&, &v = values](const auto& p) { v[p] = value(generation, p); });
    wherry::write_array(path, u, {.buffer_bytes = 300'000});
    if (comm.rank() == 0) std::printf("wrote %ld\n", generation);
    std::fflush(stdout);
  }
}

int read(const wherry::communicator& comm, const char* path) {
  array u(comm, slabs(5, comm.size()));
  const auto filled = wherry::read_array(path, u);
  const auto& first = u.blocks().front();
  double generation = first.values[first.core.lower] - value(0, first.core.lower);
  MPI_Bcast(&generation, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const long whole = std::lround(generation);
  long wrong = filled == 1'000'000 ? 0 : 1;
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&, &v = values](const auto& p) { wrong += v[p] == value(whole, p) ? 0 : 1; });
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (comm.rank() == 0) std::printf("read %ld, %ld cells wrong\n", whole, wrong);
  return wrong == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  if (argc != 3) return 2;
  const wherry::communicator comm(MPI_COMM_WORLD);
  return std::string_view(argv[1]) == "write" ? write_for_ever(comm, argv[2]) : read(comm, argv[2]);
}

}  // namespace

int main(int argc, char** argv) { return wherry::run_main(argc, argv, run); }
