/* A program in C with CRESTA's names. */
#include <cresta_sp_coll.h>
#include <crestacoll.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int one = 1, sum = 0, ranks, rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CRESTA_Allreduce_begin(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  CRESTA_Coll_end(1, &request);
  CRESTA_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("crestacoll: %d ranks\n", sum);
  MPI_Finalize();
  return sum != ranks;
}
