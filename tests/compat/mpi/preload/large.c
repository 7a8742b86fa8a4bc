/* MPI 4's functions with large counts, and with lists of them. Persistent ones are in persistent.c. */
#include "support.h"

#if MPI_VERSION >= 4

static MPI_Count ones[most_ranks];
static MPI_Aint places[most_ranks], in_bytes[most_ranks];
static MPI_Datatype types[most_ranks];
static int out[most_ranks], in[most_ranks];

/* What rank r sends to s; what has come here from r. */
static int figure(int r, int s) { return 100 * r + s; }
static void fill(void) {
  for (int r = 0; r < ranks; ++r) {
    out[r] = figure(me, r);
    in[r] = -1;
  }
}
static void has_come(void) {
  for (int r = 0; r < ranks; ++r) REQUIRE(in[r] == figure(r, me));
}

static void lists(void) {
  int mine = figure(me, 0), got = -1, sum = -1;
  fill();
  OK(MPI_Gatherv_c(&mine, 1, MPI_INT, in, me == 0 ? ones : NULL, me == 0 ? places : NULL, MPI_INT, 0, MPI_COMM_WORLD));
  if (me == 0) has_come();
  OK(MPI_Scatterv_c(out, me == 0 ? ones : NULL, me == 0 ? places : NULL, MPI_INT, &got, 1, MPI_INT, 0, MPI_COMM_WORLD));
  REQUIRE(got == figure(0, me));
  OK(MPI_Allgatherv_c(&me, 1, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(in[r] == r);
  OK(MPI_Reduce_scatter_c(out, &sum, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(sum == 100 * ranks * (ranks - 1) / 2 + ranks * me);
  fill();
  OK(MPI_Alltoallv_c(out, ones, places, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD));
  has_come();
  fill();
  OK(MPI_Alltoallw_c(out, ones, in_bytes, types, in, ones, in_bytes, types, MPI_COMM_WORLD));
  has_come();
}

static void lists_begun(void) {
  MPI_Request requests[3];
  int mine = figure(me, 0), sum = -1, gathered[most_ranks];
  fill();
  OK(MPI_Igatherv_c(&mine, 1, MPI_INT, gathered, ones, places, MPI_INT, ranks - 1, MPI_COMM_WORLD, &requests[0]));
  OK(MPI_Ialltoallv_c(out, ones, places, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD, &requests[1]));
  OK(MPI_Ireduce_scatter_c(out, &sum, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]));
  OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
  has_come();
  for (int r = 0; me == ranks - 1 && r < ranks; ++r) REQUIRE(gathered[r] == figure(r, 0));
  REQUIRE(sum == 100 * ranks * (ranks - 1) / 2 + ranks * me);
}

/* On a ring, whose neighbours are two. */
static void lists_of_neighbours(void) {
  MPI_Comm ring;
  int periodic = 1;
  const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
  OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
  in[0] = in[1] = -1;
  OK(MPI_Neighbor_allgatherv_c(&me, 1, MPI_INT, in, ones, places, MPI_INT, ring));
  REQUIRE(in[0] == left && in[1] == right);
  in[0] = in[1] = -1;
  out[0] = out[1] = me;
  OK(MPI_Neighbor_alltoallv_c(out, ones, places, MPI_INT, in, ones, places, MPI_INT, ring));
  REQUIRE(in[0] == left && in[1] == right);
  in[0] = in[1] = -1;
  OK(MPI_Neighbor_alltoallw_c(out, ones, in_bytes, types, in, ones, in_bytes, types, ring));
  REQUIRE(in[0] == left && in[1] == right);
  OK(MPI_Comm_free(&ring));
}

#endif

int main(int argc, char** argv) {
#if MPI_VERSION >= 4
  int value, sums[3] = {1, 2, 3};
  MPI_Request request;
  start(&argc, &argv);
  value = me == 0 ? 9 : 0;
  for (int r = 0; r < most_ranks; ++r) {
    ones[r] = 1;
    places[r] = r;
    in_bytes[r] = (MPI_Aint)(r * sizeof(int));
    types[r] = MPI_INT;
  }
  OK(MPI_Bcast_c(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
  REQUIRE(value == 9);
  OK(MPI_Iallreduce_c(MPI_IN_PLACE, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  REQUIRE(sums[0] == ranks && sums[2] == 3 * ranks);
  lists();
  lists_begun();
  lists_of_neighbours();
  value = me == 0 ? 8 : 0;
  OK(MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  OK(MPI_Start(&request));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  REQUIRE(value == 8);
  OK(MPI_Request_free(&request));
  passed("large");
  MPI_Finalize();
  return 0;
#else
  (void)argc, (void)argv;
  puts("this MPI has no large counts");
  return 77;
#endif
}
