/* Static windows and coarrays: made, used by vectors that are longer than they are, freed, made again. With an
   argument: by half of the processes, too. */
#include <stdio.h>

#include "crestacoll.h"

enum { most_ranks = 8, longest = 5000 };

static int wrong = 0;

static void must(int code) {
  if (code != MPI_SUCCESS) ++wrong;
}

static void use(MPI_Comm comm, int length) {
  static double value[longest], out[longest * most_ranks], in[longest * most_ranks];
  int rank, ranks, i, r;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (i = 0; i < length; ++i) value[i] = rank == ranks - 1 ? i + 0.5 : -1;
  must(CRESTA_Bcast(value, length, MPI_DOUBLE, ranks - 1, comm));
  for (i = 0; i < length; ++i) wrong += value[i] != i + 0.5;
  for (r = 0; r < ranks; ++r)
    for (i = 0; i < length; ++i) out[r * length + i] = rank * 100 + r + i * 1000.0;
  must(CRESTA_Alltoall(out, length, MPI_DOUBLE, in, length, MPI_DOUBLE, comm));
  for (r = 0; r < ranks; ++r)
    for (i = 0; i < length; ++i) wrong += in[r * length + i] != r * 100 + rank + i * 1000.0;
}

int main(int argc, char** argv) {
  MPI_Comm again, half;
  int rank, round;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  use(MPI_COMM_WORLD, 10); /* without */
  for (round = 0; round < 3; ++round) {
    must(CRESTA_Win_init(MPI_COMM_WORLD));
    must(CRESTA_Win_init(MPI_COMM_WORLD)); /* twice is once */
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    must(CRESTA_Win_init(again));
    use(MPI_COMM_WORLD, 1);
    use(again, 300);
    use(MPI_COMM_WORLD, longest);
    if (round == 1) MPI_Comm_free(&again); /* before its windows */
    must(CRESTA_Win_finalize());
    use(MPI_COMM_WORLD, 20);
    if (round != 1) MPI_Comm_free(&again);
  }
  must(CRESTA_Win_finalize());
  if (argc > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    use(half, 300);
    MPI_Comm_free(&half);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("static windows: %d faults\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
