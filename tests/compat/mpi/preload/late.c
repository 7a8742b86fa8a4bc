/* A rank that does not come while the others wait for it: with WHERRY_TIMEOUT they hear of it, by MPI's error codes. */
#include "support.h"

int main(int argc, char** argv) {
  static int value; /* whoever comes late may still write to it */
  int r, code;
  MPI_Comm comm;
  MPI_Request request = MPI_REQUEST_NULL;
  start(&argc, &argv);
  OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  OK(MPI_Barrier(comm));
  if (me == 0) {
    for (r = 1; r < ranks; ++r) OK(MPI_Recv(&code, 1, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  } else {
    OK(MPI_Ibcast(&value, 1, MPI_INT, 0, comm, &request));
    REQUIRE(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    REQUIRE(MPI_Bcast(&value, 1, MPI_INT, 0, comm) != MPI_SUCCESS);
    code = 0;
    OK(MPI_Send(&code, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
  }
  passed("late");
  MPI_Finalize();
  return 0;
}
