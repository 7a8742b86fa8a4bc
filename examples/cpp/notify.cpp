// The sum of 1 to 1000, on its way around a ring of ranks: each adds its numbers to what the previous one has written.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <span>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  wherry::communicator comm(MPI_COMM_WORLD);
  const int next = (comm.rank() + 1) % comm.size();
  long sum = 0;
  for (int i = 1 + comm.rank(); i <= 1000; i += comm.size()) sum += i;

  wherry::segment<long> ring(comm, 1);  // one number on each rank, which the others write to
  if (comm.rank() != 0) {               // rank 0 begins
    ring.wait(0);
    sum += ring.mine()[0];  // read in place
  }
  ring.write_notify(next, 0, std::span(&sum, 1), /*id*/ 0);
  if (comm.rank() == 0) {
    ring.wait(0);
    std::printf("the numbers from 1 to 1000 add up to %ld\n", ring.mine()[0]);
  }
}
