/* What is wrong on all ranks comes back by the communicator's error handler, with MPI's class. With an argument: by the
   handler that ends the job. */
#include "support.h"

static int handled = 0;

static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  REQUIRE(*code != MPI_SUCCESS);
  ++handled;
}

static int class_of(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

int main(int argc, char** argv) {
  int value = 1, sum = 1;
  double two[2] = {1, 2};
  MPI_Comm comm;
  MPI_Errhandler handler;
  start(&argc, &argv);
  if (argc > 1) MPI_Bcast(&value, 1, MPI_INT, ranks, MPI_COMM_WORLD);
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  REQUIRE(class_of(MPI_Bcast(&value, 1, MPI_INT, ranks, comm)) == MPI_ERR_ROOT);
  REQUIRE(class_of(MPI_Bcast(&value, -1, MPI_INT, 0, comm)) == MPI_ERR_COUNT);
  REQUIRE(class_of(MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm)) == MPI_ERR_TYPE);
  REQUIRE(class_of(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_OP_NULL, comm)) == MPI_ERR_OP);
  REQUIRE(class_of(MPI_Bcast(NULL, 1, MPI_INT, 0, comm)) == MPI_ERR_BUFFER);
  REQUIRE(class_of(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm)) == MPI_ERR_BUFFER);
  REQUIRE(class_of(MPI_Allreduce(NULL, &sum, 1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
  REQUIRE(class_of(MPI_Allreduce(two, two + 1, 1, MPI_DOUBLE, MPI_BAND, comm)) == MPI_ERR_OP);
  REQUIRE(class_of(MPI_Reduce(two, two + 1, 1, MPI_FLOAT, MPI_MAXLOC, 0, comm)) == MPI_ERR_OP);
  OK(MPI_Comm_create_errhandler(handle, &handler));
  OK(MPI_Comm_set_errhandler(comm, handler));
  REQUIRE(class_of(MPI_Bcast(&value, 1, MPI_INT, -3, comm)) == MPI_ERR_ROOT);
  REQUIRE(handled > 0);
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm)); /* and it goes on */
  REQUIRE(sum == ranks);
  OK(MPI_Errhandler_free(&handler));
  OK(MPI_Comm_free(&comm));
  passed("errors");
  MPI_Finalize();
  return 0;
}
