/* Ends without MPI_Finalize. */
#include <unistd.h>

#include "support.h"

int main(int argc, char** argv) {
  int sum = 1;
  start(&argc, &argv);
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(sum == ranks);
  passed("unfinalized");
  if (me != 0) sleep(2); /* some launchers end all as soon as one has ended so */
  return 0;
}
