/* A program with a tool of its own inside: its MPI_Allreduce is the one that counts. */
#include "support.h"

static int seen = 0;

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++seen;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int main(int argc, char** argv) {
  int sum = 1, value = 0;
  start(&argc, &argv);
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(seen == 1 && sum == ranks);
  if (me == 0) value = 5;
  OK(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
  REQUIRE(value == 5);
  passed("profiled");
  MPI_Finalize();
  return 0;
}
