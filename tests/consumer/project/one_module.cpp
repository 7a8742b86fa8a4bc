// The smallest program of one module: rank 0's list arrives everywhere.
#include <wherry/deep/deep.hpp>

#include <cstdio>
#include <list>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  const std::list<std::string> wanted{"one", "module", "alone"};
  std::list<std::string> words;
  if (rank == 0) words = wanted;
  wherry::deep::bcast(MPI_COMM_WORLD, words, 0);

  const bool good = words == wanted;
  if (!good) std::printf("consumer: rank %d has another list\n", rank);
  MPI_Finalize();
  return good ? 0 : 1;
}
