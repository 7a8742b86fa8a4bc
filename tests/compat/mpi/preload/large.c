/* MPI 4's functions with large counts: those with one count are replaced, lists of counts are not. Persistent ones are
 * MPI's. */
#include "support.h"

int main(int argc, char** argv) {
#if MPI_VERSION >= 4
  int value, sums[3] = {1, 2, 3}, gathered[most_ranks];
  MPI_Count ones[most_ranks];
  MPI_Aint places[most_ranks];
  MPI_Request request;
  start(&argc, &argv);
  value = me == 0 ? 9 : 0;
  for (int r = 0; r < ranks; ++r) {
    ones[r] = 1;
    places[r] = r;
  }
  OK(MPI_Bcast_c(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
  REQUIRE(value == 9);
  OK(MPI_Iallreduce_c(MPI_IN_PLACE, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  REQUIRE(sums[0] == ranks && sums[2] == 3 * ranks);
  OK(MPI_Allgatherv_c(&me, 1, MPI_INT, gathered, ones, places, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(gathered[r] == r);
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
