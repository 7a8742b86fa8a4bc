// A transposition in two phases with the names of the CRESTA library, and with Wherry's. The program checks that both
// give the same numbers. docs/howto/port_older_systems.md shows the parts between [ and ].
#include <cresta_sp_coll.h>
#include <wherry/wherry.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const int n = 100;
  std::vector<double> sendbuf(std::size_t(n * mpi.size()));
  std::iota(sendbuf.begin(), sendbuf.end(), 1e6 * mpi.rank());

  // [before
  std::vector<double> recvbuf(sendbuf.size());
  MPI_Request request;
  CRESTA_Alltoall_begin(sendbuf.data(), n, MPI_DOUBLE, recvbuf.data(), n, MPI_DOUBLE, MPI_COMM_WORLD, &request);
  // … compute …
  CRESTA_Coll_end(1, &request);
  // before]

  // [after
  auto operation = wherry::collective::start_alltoall(MPI_COMM_WORLD, sendbuf);
  // … compute …
  const std::vector<double> arrived = operation.wait();
  // after]

  const bool all = wherry::collective::allreduce(MPI_COMM_WORLD, int(arrived == recvbuf), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("from_crestacoll: %s\n", all ? "the same numbers" : "DIFFERENT");
  return all ? 0 : 1;
}
