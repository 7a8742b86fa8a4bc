/* Persistent collectives whose lists, datatypes, operation and communicator go before they are started, or while they
   are in flight; and those that begin once, among them of neighbours. */
#include <string.h>

#include "persistent_init.h"
#include "support.h"

enum { length = 5 };

static int apart[2 * most_ranks], got[2 * most_ranks], numbers[length], sum[length];

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  int values = 0;
  MPI_Type_size(*type, &values);
  values = values / (int)sizeof(int) * *count;
  for (int i = 0; i < values; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}

struct lists {
  int counts[most_ranks], places[most_ranks], bytes[most_ranks];
  MPI_Aint addresses[most_ranks];
  MPI_Datatype types[most_ranks];
};

/* Every other number. The type is the caller's to free. */
static struct lists* lists(MPI_Datatype* skipping) {
  struct lists* all = malloc(sizeof *all);
  REQUIRE(all != NULL);
  OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), skipping));
  OK(MPI_Type_commit(skipping));
  for (int r = 0; r < most_ranks; ++r) {
    all->counts[r] = 1;
    all->places[r] = r;
    all->bytes[r] = 2 * r * (int)sizeof(int);
    all->addresses[r] = all->bytes[r];
    all->types[r] = *skipping;
  }
  return all;
}
static void give_back(struct lists* all, MPI_Datatype* skipping) {
  memset(all, 0x7f, sizeof *all);
  free(all);
  OK(MPI_Type_free(skipping));
}

static void fill(int round) {
  for (int r = 0; r < most_ranks; ++r) {
    apart[2 * r] = 100 * round + 10 * me + r;
    apart[2 * r + 1] = -2;
    got[2 * r] = got[2 * r + 1] = -1;
  }
  for (int i = 0; i < length; ++i) {
    numbers[i] = round + me + i;
    sum[i] = -1;
  }
}
static void check_exchanged(int round) {
  for (int r = 0; r < ranks; ++r) REQUIRE(got[2 * r] == 100 * round + 10 * r + me && got[2 * r + 1] == -1);
}
static void check_exchanged_whole(int round) {
  for (int r = 0; r < ranks; ++r) REQUIRE(got[2 * r] == 100 * round + 10 * r + me && got[2 * r + 1] == -2);
}
static void check_sum(int round) {
  for (int i = 0; i < length; ++i) REQUIRE(sum[i] == ranks * (round + i) + ranks * (ranks - 1) / 2);
}

static void once(int round) {
  const int ring[1] = {ranks}, periodic[1] = {1};
  MPI_Comm comm, around;
  MPI_Datatype skipping, vector;
  MPI_Op op;
  MPI_Request request;
  struct lists* all = lists(&skipping);
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  fill(round);
  if (round % 2 == 0)
    OK(MPI_Ialltoallv(apart, all->counts, all->places, skipping, got, all->counts, all->places, skipping, comm,
                      &request));
  else
    OK(MPI_Ialltoallw(apart, all->counts, all->bytes, all->types, got, all->counts, all->bytes, all->types, comm,
                      &request));
  give_back(all, &skipping);
  OK(MPI_Comm_free(&comm));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_exchanged(round);

  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  OK(MPI_Type_contiguous(length, MPI_INT, &vector));
  OK(MPI_Type_commit(&vector));
  OK(MPI_Op_create(add, 1, &op));
  OK(MPI_Iallreduce(numbers, sum, 1, vector, op, comm, &request));
  OK(MPI_Op_free(&op));
  REQUIRE(op == MPI_OP_NULL);
  OK(MPI_Type_free(&vector));
  OK(MPI_Comm_free(&comm));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_sum(round);

  all = lists(&skipping);
  OK(MPI_Cart_create(MPI_COMM_WORLD, 1, ring, periodic, 0, &around));
  if (round % 2 == 0)
    OK(MPI_Ineighbor_allgatherv(apart, 1, skipping, got, all->counts, all->places, skipping, around, &request));
  else
    OK(MPI_Ineighbor_alltoallw(apart, all->counts, all->addresses, all->types, got, all->counts, all->addresses,
                               all->types, around, &request));
  give_back(all, &skipping);
  OK(MPI_Comm_free(&around));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  if (ranks > 2) REQUIRE(got[0] == 100 * round + 10 * ((me + ranks - 1) % ranks) + round % 2 && got[1] == -1);
}

/* MPICH frees a communicator when the last of its own requests in it completes, maybe while it looks after ours. */
static void beside_a_message(int round) {
  MPI_Comm comm;
  MPI_Request requests[4];
  int incoming = -1, outgoing = 100 * round + me;
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  fill(round);
  OK(MPI_Iallreduce(numbers, sum, length, MPI_INT, MPI_SUM, comm, &requests[0]));
  OK(MPI_Irecv(&incoming, 1, MPI_INT, (me + 1) % ranks, 1, comm, &requests[1]));
  OK(MPI_Isend(&outgoing, 1, MPI_INT, (me + ranks - 1) % ranks, 1, comm, &requests[2]));
  OK(MPI_Ialltoall(apart, 2, MPI_INT, got, 2, MPI_INT, comm, &requests[3]));
  OK(MPI_Comm_free(&comm));
  OK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
  check_sum(round);
  check_exchanged_whole(round);
  REQUIRE(incoming == 100 * round + (me + 1) % ranks);
}

#if defined(INIT)
static void again(void) {
  MPI_Comm comm;
  MPI_Datatype skipping, vector;
  MPI_Op op;
  MPI_Request requests[3];
  struct lists* all = lists(&skipping);
  static int gathered[2 * most_ranks];
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  OK(MPI_Type_contiguous(length, MPI_INT, &vector));
  OK(MPI_Type_commit(&vector));
  OK(MPI_Op_create(add, 1, &op));
  OK(INIT(Alltoallw)(apart, all->counts, all->bytes, all->types, got, all->counts, all->bytes, all->types, comm,
                     MPI_INFO_NULL, &requests[0]));
  OK(INIT(Allreduce)(numbers, sum, 1, vector, op, comm, MPI_INFO_NULL, &requests[1]));
  OK(INIT(Allgatherv)(apart, 1, skipping, gathered, all->counts, all->places, skipping, comm, MPI_INFO_NULL,
                      &requests[2]));
  OK(MPI_Op_free(&op));
  OK(MPI_Type_free(&vector));
  give_back(all, &skipping);
  for (int round = 0; round < 4; ++round) {
    fill(round);
    OK(MPI_Startall(3, requests));
    if (round == 1) OK(MPI_Comm_free(&comm));
    OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    check_exchanged(round);
    check_sum(round);
    for (int r = 0; r < ranks; ++r) REQUIRE(gathered[2 * r] == 100 * round + 10 * r && gathered[2 * r + 1] == 0);
  }
  for (int i = 0; i < 3; ++i) OK(MPI_Request_free(&requests[i]));
}
#endif

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int round = 0; round < 6; ++round) once(round);
  for (int round = 0; round < 20; ++round) beside_a_message(round);
#if defined(INIT)
  for (int i = 0; i < 2; ++i) again();
#endif
  passed("freed");
  MPI_Finalize();
  return 0;
}
