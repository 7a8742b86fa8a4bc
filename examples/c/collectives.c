/* Pi, as the area of a quarter of a circle in 10^6 strips: collectives with MPI's arguments, in one phase and in two.
 */
#include <mpi.h>
#include <stdio.h>
#include <wherry.h>

/* The area under 4 / (1 + x * x) in the strips that this rank has. */
static double area(int strips, int rank, int size) {
  double sum = 0;
  for (int i = rank; i < strips; i += size) {
    const double x = (i + 0.5) / strips;
    sum += 4 / (1 + x * x);
  }
  return sum / strips;
}

int main(int argc, char** argv) {
  int rank, size, strips = 0;
  double mine, pi = 0, largest = 0;
  const char* by;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  if (rank == 0) strips = 1000000;
  wherry_require(wherry_bcast(&strips, 1, MPI_INT, 0, MPI_COMM_WORLD)); /* as MPI_Bcast */

  mine = area(strips, rank, size);
  const wherry_call add_up = wherry_call_allreduce(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  wherry_request request;
  wherry_require(wherry_call_start(&add_up, NULL, &request));

  /* Compute something else meanwhile: how far the first strip's height is from 4. */
  const double error = 4 - 4 / (1 + 0.25 / strips / strips);
  wherry_require(wherry_request_wait(request));
  wherry_require(wherry_request_free(&request));

  /* The same call can be run by any implementation. Ask wherry_implementations for their names. */
  const wherry_call worst = wherry_call_allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  wherry_require(wherry_call_run(&worst, "binomial", &by));

  if (rank == 0) printf("pi is about %.9f, and the first strip is wrong by %.1e\n", pi, largest);
  MPI_Finalize();
  return 0;
}
