/* A rank that comes late: with WHERRY_TIMEOUT, CRESTA_Coll_end of the others gives an error first. */
#include <stdio.h>

#include "cresta_sp_coll.h"
#include "crestacoll.h"

int main(int argc, char** argv) {
  static int value; /* written to when the root comes */
  int rank, ranks, r, notice = 0, wrong = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  wrong += CRESTA_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS; /* all meet once */
  if (rank == 0)
    for (r = 1; r < ranks; ++r) MPI_Recv(&notice, 1, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  wrong += CRESTA_Bcast_begin(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  wrong += (CRESTA_Coll_end(1, &request) == MPI_SUCCESS) != (rank == 0);
  if (rank != 0) MPI_Send(&notice, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("a late rank: %d faults\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
