// Pi, as the area of a quarter of a circle in 10^6 strips: collectives of values and with MPI's arguments.
#include <wherry/wherry.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  namespace collective = wherry::collective;
  const wherry::communicator comm(MPI_COMM_WORLD);

  int strips = comm.rank() == 0 ? 1000000 : 0;
  collective::bcast(comm, strips, 0);

  double mine = 0;  // the area under 4 / (1 + x * x) in the strips that this rank has
  for (int i = comm.rank(); i < strips; i += comm.size()) {
    const double x = (i + 0.5) / strips;
    mine += 4 / (1 + x * x) / strips;
  }
  auto pi = collective::start_allreduce(comm, mine);

  // Compute something else meanwhile: how far the first strip's height is from 4.
  const double error = 4 - 4 / (1 + 0.25 / strips / strips);
  const double sum = pi.wait();

  // A call with MPI's arguments can be run by any implementation.
  double largest = 0;
  collective::run(collective::call::allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), "binomial");
  if (comm.rank() == 0) std::printf("pi is about %.9f, and the first strip is wrong by %.1e\n", sum, largest);
}
