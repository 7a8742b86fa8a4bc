/* Intercommunicators: MPI's own, whatever is asked for. */
#include "support.h"

int main(int argc, char** argv) {
  MPI_Comm half, between;
  int value = -1, sum = 1, others;
  start(&argc, &argv);
  REQUIRE(ranks >= 2);
  OK(MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half));
  OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 == 0 ? 1 : 0, 17, &between));
  OK(MPI_Comm_remote_size(between, &others));
  if (me == 0) value = 42; /* from rank 0 to all odd ranks */
  OK(MPI_Bcast(&value, 1, MPI_INT, me % 2 == 1 ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL, between));
  if (me % 2 == 1) REQUIRE(value == 42);
  OK(MPI_Allreduce(&sum, &value, 1, MPI_INT, MPI_SUM, between));
  REQUIRE(value == others);
  OK(MPI_Barrier(between));
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(sum == ranks);
  passed("between");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
