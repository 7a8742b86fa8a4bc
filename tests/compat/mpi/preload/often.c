/* Calls that are made often enough for some to be left to MPI: ranks must agree which, whatever communicators came and
 * went before, and results are the same. */
#include "support.h"

enum { rounds = 700 };

/* Split, used and freed; not by all ranks equally often. */
static void passing(int round) {
  MPI_Comm part;
  int one = 1, sum = 0;
  OK(MPI_Comm_split(MPI_COMM_WORLD, (me + round) % 2, me, &part));
  for (int i = 0; i < 150 + 10 * ((me + round) % 2); ++i) OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part));
  REQUIRE(sum >= 1 && sum <= (ranks + 1) / 2);
  OK(MPI_Comm_free(&part));
}

int main(int argc, char** argv) {
  MPI_Comm other;
  int gathered[most_ranks], value, sum, counts[most_ranks], places[most_ranks];
  double half = 0.5, halves;
  start(&argc, &argv);
  for (int round = 0; round < 6; ++round) passing(round);
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &other));
  for (int r = 0; r < ranks; ++r) {
    counts[r] = 1;
    places[r] = r;
  }
  for (int i = 0; i < rounds; ++i) {
    value = me == i % ranks ? i : -1;
    OK(MPI_Bcast(&value, 1, MPI_INT, i % ranks, MPI_COMM_WORLD));
    REQUIRE(value == i);
    value = i + me;
    OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, i % 3 == 0 ? other : MPI_COMM_WORLD));
    REQUIRE(sum == ranks * i + ranks * (ranks - 1) / 2);
    OK(MPI_Scan(&half, &halves, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    REQUIRE(halves == 0.5 * (me + 1));
    gathered[me] = i + me;
    OK(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered, counts, places, MPI_INT, other));
    for (int r = 0; r < ranks; ++r) REQUIRE(gathered[r] == i + r);
    if (i < 20) OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  OK(MPI_Comm_free(&other));
  passed("often");
  MPI_Finalize();
  return 0;
}
