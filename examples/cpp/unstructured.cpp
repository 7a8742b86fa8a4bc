// Values on the nodes of a ring: each step replaces a node by the mean of itself and its neighbours. A rank knows its
// nodes, and those of others that it reads, by global ids only.
#include <wherry/wherry.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const wherry::communicator comm(MPI_COMM_WORLD);
  const long nodes = 1000, first = nodes * comm.rank() / comm.size(), end = nodes * (comm.rank() + 1) / comm.size();
  const std::size_t rows = static_cast<std::size_t>(end - first);

  // My nodes, and behind them copies of the two nodes beside them.
  std::vector<long> mine(rows);
  std::iota(mine.begin(), mine.end(), first);
  const std::vector<long> ghosts{(first + nodes - 1) % nodes, end % nodes};
  const auto lists = wherry::resolve_ids(comm, mine, ghosts);

  std::vector<double> u(rows + 2), next(rows + 2);
  for (std::size_t i = 0; i < rows; ++i) u[i] = mine[i] % 100 == 0 ? 1000 : 0;
  wherry::index_exchange fill(comm, lists, u);
  for (int step = 0; step < 50; ++step) {
    fill(u);
    for (std::size_t i = 0; i < rows; ++i) {
      const double left = u[i > 0 ? i - 1 : rows], right = u[i + 1 < rows ? i + 1 : rows + 1];
      next[i] = (left + u[i] + right) / 3;
    }
    std::swap(u, next);
  }

  const double highest = *std::max_element(u.begin(), u.end() - 2);
  const double all = wherry::collective::allreduce(comm, highest, wherry::maximum{});
  if (comm.rank() == 0) std::printf("highest value after 50 steps: %.6f\n", all);
}
