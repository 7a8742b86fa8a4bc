// bench_sparse_simulated: measures sparse exchanges in SimGrid's time. Each rank sends the same number of bytes to some
// ranks, which differ from rank to rank. A line for each way has the number of partners, the bytes for each of them,
// the name of the way, and the simulated seconds of the slowest rank (tools/run/simgrid.py explains the unit).
//
//   bench_sparse_simulated PARTNERS BYTES [PARTNERS BYTES …]      PARTNERS 0: all ranks
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"
#include "wherry/sparse/sparse.hpp"

#include "harness/simulated_time.hpp"

namespace {

using bytes = std::vector<char>;

struct problem {
  int ranks = 1, rank = 0;
  std::vector<int> partners;
  bytes elements;

  problem(int partners_wanted, std::size_t length) : elements(length, 'x') {
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int wanted = partners_wanted == 0 ? ranks - 1 : std::min(partners_wanted, ranks - 1);
    // Strides that are far apart, so that most partners are on other nodes, and all ranks receive equally much.
    for (int i = 0; i < wanted; ++i) partners.push_back((rank + 1 + i * (ranks - 1) / wanted) % ranks);
  }
};

// The same by hand: the counts by MPI_Alltoall, then messages.
void by_counts(const problem& one) {
  std::vector<int> leaving(static_cast<std::size_t>(one.ranks), 0), coming(leaving);
  for (const int to : one.partners) leaving[static_cast<std::size_t>(to)] = static_cast<int>(one.elements.size());
  MPI_Alltoall(leaving.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<bytes> received(coming.size());
  std::vector<MPI_Request> requests;
  for (int from = 0; from < one.ranks; ++from) {
    auto& list = received[static_cast<std::size_t>(from)];
    list.resize(static_cast<std::size_t>(coming[static_cast<std::size_t>(from)]));
    if (!list.empty())
      MPI_Irecv(list.data(), static_cast<int>(list.size()), MPI_CHAR, from, 7, MPI_COMM_WORLD,
                &requests.emplace_back());
  }
  for (const int to : one.partners)
    MPI_Isend(one.elements.data(), static_cast<int>(one.elements.size()), MPI_CHAR, to, 7, MPI_COMM_WORLD,
              &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void by_wherry(const wherry::communicator& comm, const problem& one, const std::string& algorithm) {
  std::vector<wherry::parcel<char>> parcels;
  for (const int to : one.partners) parcels.push_back({to, one.elements});
  const auto arrived = wherry::sparse_exchange(comm, parcels, {.algorithm = algorithm});
  if (arrived.all.size() != one.partners.size() * one.elements.size()) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const wherry::communicator comm(MPI_COMM_WORLD);
    auto names = wherry::sparse_algorithms();
    names.emplace_back("auto");
    for (int i = 1; i + 1 < argc; i += 2) {
      const problem one(std::atoi(argv[i]), static_cast<std::size_t>(std::atol(argv[i + 1])));
      const auto measure = [&](const std::string& name, const std::function<void()>& run) {
        run();  // makes memory
        const double taken = bench::simulated_seconds(run);
        if (comm.rank() == 0) std::printf("%s %s %s %.1f\n", argv[i], argv[i + 1], name.c_str(), taken);
      };
      measure("by_hand", [&] { by_counts(one); });
      for (const auto& name : names) measure(name, [&] { by_wherry(comm, one, name); });
    }
  }
  MPI_Finalize();
  return 0;
}
