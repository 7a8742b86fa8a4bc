/* Values on the nodes of a ring: each step replaces a node by the mean of itself and its neighbours. A rank knows its
 * nodes, and those of others that it reads, by global ids only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wherry.h>

enum { nodes = 1000 };

int main(int argc, char** argv) {
  wherry_communicator comm;
  wherry_index_lists lists;
  wherry_exchange fill;
  int rank, size;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &size));
  const int64_t begin = nodes * (int64_t)rank / size, end = nodes * (int64_t)(rank + 1) / size, rows = end - begin;

  /* My nodes, and behind them copies of the two nodes beside them. */
  int64_t* ids = malloc((size_t)rows * sizeof *ids);
  for (int64_t i = 0; i < rows; ++i) ids[i] = begin + i;
  const int64_t ghosts[2] = {(begin + nodes - 1) % nodes, end % nodes};
  wherry_require(wherry_index_lists_create_from_ids(comm, wherry_int64s(ids, rows), wherry_int64s(ghosts, 2), &lists));

  const int64_t elements = rows + 2;
  double *u = malloc((size_t)elements * sizeof *u), *next = malloc((size_t)elements * sizeof *next);
  for (int64_t i = 0; i < rows; ++i) u[i] = ids[i] % 100 == 0 ? 1000 : 0;
  const wherry_view array = wherry_c_array(u, WHERRY_FLOAT64, 1, &elements);
  wherry_require(wherry_index_exchange_create(comm, lists, 1, &array, NULL, &fill));
  for (int step = 0; step < 50; ++step) {
    void* const now[1] = {u};
    wherry_require(wherry_exchange_start_with(fill, 1, now));
    wherry_require(wherry_exchange_wait(fill));
    for (int64_t i = 0; i < rows; ++i) {
      const double left = u[i > 0 ? i - 1 : rows], right = u[i + 1 < rows ? i + 1 : rows + 1];
      next[i] = (left + u[i] + right) / 3;
    }
    double* const last = u;
    u = next;
    next = last;
  }

  double highest = 0, all = 0;
  for (int64_t i = 0; i < rows; ++i) highest = u[i] > highest ? u[i] : highest;
  MPI_Reduce(&highest, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("highest value after 50 steps: %.6f\n", all);

  wherry_exchange_free(&fill);
  wherry_index_lists_free(&lists);
  wherry_communicator_free(&comm);
  free(ids);
  free(u);
  free(next);
  MPI_Finalize();
  return 0;
}
