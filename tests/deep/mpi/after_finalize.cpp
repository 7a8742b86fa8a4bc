// What a program may still do with copies in flight once MPI has ended: be told so, and destroy them. Prints the
// errors.
#include <mpi.h>

#include <cstdio>
#include <vector>

#include "wherry/deep/collect.hpp"
#include "wherry/deep/in_flight.hpp"

#include "support/say.hpp"

using wherry_test::say;
namespace deep = wherry::deep;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    const wherry::communicator comm(MPI_COMM_WORLD);
    std::vector<int> arrived, word(1'000'000, 1), few(10, 1);
    std::vector<std::vector<int>> all;
    // Nobody ever comes: rank 0's stay in flight.
    std::vector<deep::in_flight> flights;
    if (rank == 0) {
      flights.push_back(deep::start_receive(comm, arrived, 1));
      flights.push_back(deep::start_send(comm, few, 1));
      flights.push_back(deep::start_send(comm, word, 0));
    }
    MPI_Finalize();
    if (rank == 0) {
      say("wait", [&] { flights[0].wait(); });
      say("test", [&] { flights[2].test(); });
      say("send", [&] { deep::send(comm, few, 1); });
      say("receive", [&] { deep::receive(comm, arrived, MPI_ANY_SOURCE); });
      say("start_send", [&] { deep::start_send(comm, few, 1); });
      say("broadcast", [&] { deep::bcast(comm, few, 0); });
      say("start_bcast", [&] { deep::start_bcast(comm, few, 0); });
      say("gather", [&] { deep::gather(comm, few, all, 0); });
      say("all_gather", [&] { deep::allgather(comm, few, all); });
    }
  }
  if (rank == 0) std::printf("all destroyed\n");
}
