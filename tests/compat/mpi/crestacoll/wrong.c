/* Wrong arguments come back with MPI's class, by the communicator's error handler. */
#include <stdio.h>

#include "cresta_sp_coll.h"
#include "crestacoll.h"

static int wrong = 0;

static void expect(int code, int error_class, const char* what) {
  int of = MPI_SUCCESS;
  MPI_Error_class(code, &of);
  if (of == error_class) return;
  fprintf(stderr, "%s: class %d, expected %d\n", what, of, error_class);
  ++wrong;
}

int main(int argc, char** argv) {
  int value = 1, sum = 0, ranks, rank;
  double two[2] = {1, 2};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm half, between;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expect(CRESTA_Bcast(&value, 1, MPI_INT, ranks, MPI_COMM_WORLD), MPI_ERR_ROOT, "root");
  expect(CRESTA_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "count");
  expect(CRESTA_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "type");
  expect(CRESTA_Allreduce(&value, &sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP, "op");
  expect(CRESTA_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "a null buffer");
  expect(CRESTA_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "in place");
  expect(CRESTA_Allreduce(two, two + 1, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP, "op of doubles");
  expect(CRESTA_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM, "comm");
  expect(CRESTA_Win_init(MPI_COMM_NULL), MPI_ERR_COMM, "comm of the windows");
  expect(CRESTA_Bcast_begin(&value, 1, MPI_INT, -1, MPI_COMM_WORLD, &request), MPI_ERR_ROOT, "root of a begun one");
  expect(CRESTA_Bcast_begin(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, NULL), MPI_ERR_REQUEST, "request");
  expect(CRESTA_Coll_end(-1, &request), MPI_ERR_COUNT, "count of requests");
  expect(CRESTA_Coll_end(1, NULL), MPI_ERR_REQUEST, "requests");
  expect(CRESTA_Coll_end(0, NULL), MPI_SUCCESS, "no requests");
  expect(CRESTA_Coll_end(1, &request), MPI_SUCCESS, "a request that is none");
  if (ranks > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 17, &between);
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    expect(CRESTA_Bcast(&value, 1, MPI_INT, 0, between), MPI_ERR_COMM, "an inter-communicator");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
  expect(CRESTA_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS, "and it goes on");
  if (sum != ranks) ++wrong;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("wrong arguments: %d faults\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
