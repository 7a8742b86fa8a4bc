// bench_collective_simulated: measures collectives in SimGrid's time, algorithm by algorithm. A line for each has the
// collective, bytes, implementation, and the simulated seconds of the slowest rank (tools/run/simgrid.py explains the
// unit).
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/mpi.hpp"

#include "harness/simulated_time.hpp"

namespace {

using wherry::collective::call;
using wherry::collective::kind;

call of(kind what, std::vector<std::byte>& send, std::vector<std::byte>& receive, int bytes) {
  switch (what) {
    case kind::bcast:
      return call::bcast(send.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    case kind::allreduce:
      return call::allreduce(send.data(), receive.data(), bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    case kind::gather:
      return call::gather(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    case kind::scatter:
      return call::scatter(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    case kind::allgather:
      return call::allgather(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    case kind::alltoall:
      return call::alltoall(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    default:
      return call::barrier(MPI_COMM_WORLD);
  }
}

/// True for algorithms with as many rounds as there are ranks, which take hours on many ranks.
bool is_compared(std::string_view name, int ranks) {
  constexpr std::array always{
      "mpi",          "hierarchical", "binomial",     "scatter_allgather", "recursive_doubling", "recursive_halving",
      "rabenseifner", "bruck",        "dissemination"};
  constexpr std::array among_few{"ring", "neighbor_exchange", "pairwise"};
  const auto has = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return has(always) || (has(among_few) && ranks <= 64);
}

void measure(kind what, int bytes, int rank, int ranks) {
  const bool blocks = what != kind::bcast && what != kind::allreduce;
  std::vector<std::byte> send(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(blocks ? ranks : 1)),
      receive(send.size());
  const auto one = of(what, send, receive, bytes);
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (!is_compared(row.name, ranks)) continue;
    if (!wherry::collective::obstacle(one, row.name).empty()) continue;
    wherry::collective::run(one, row.name);  // a first run that makes memory and channels
    const double taken = bench::simulated_seconds([&] { wherry::collective::run(one, row.name); });
    if (rank == 0) {
      std::printf("%s %d %s %.1f\n", name_of(what).data(), bytes, row.name.data(), taken);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i + 1 < argc; i += 2) {  // collective, bytes
    const auto what = wherry::collective::detail::kind_named(argv[i]);
    if (what) measure(*what, std::atoi(argv[i + 1]), rank, ranks);
  }
  MPI_Finalize();
  return 0;
}
