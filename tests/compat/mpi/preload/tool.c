/* A tool that is loaded behind the preload: what falls through must come by it. */
#include <mpi.h>
#include <stdio.h>

static int broadcasts = 0, sums = 0;

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++broadcasts;
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++sums;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "tool: %d broadcasts, %d sums\n", broadcasts, sums);
  return PMPI_Finalize();
}
