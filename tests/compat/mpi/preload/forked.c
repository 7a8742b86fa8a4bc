/* A child of fork() calls a collective, which is an error there, and ends; the report is the parent's. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

int main(int argc, char** argv) {
  int sum = 1;
  start(&argc, &argv);
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (me == 0) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
      sum = 100;
      exit(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS ? 1 : 0);
    }
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  sum = 1;
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(sum == ranks);
  passed("forked");
  return MPI_Finalize();
}
