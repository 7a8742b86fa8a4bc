/* make ovl: the overlap availability of the split-phase collectives (CRESTA, section 3.3.2). Compiled twice, for
   Alltoall and, with -DALLREDUCE, for Allreduce. By size: C, the time of a computation alone; N, of the collective
   alone; T, of both, the computation between begin and end; O = C + N - T and ovl% = O / min(C, N). C here is as long
   as N. The slowest rank counts. */
#include <stdio.h>
#include <stdlib.h>

#include "cresta_sp_coll.h"

#if defined(ALLREDUCE)
static const char* const name = "Allreduce";
#else
static const char* const name = "Alltoall";
#endif

static int ranks;
static double *out, *in;

static void begin(int doubles, MPI_Request* request) {
#if defined(ALLREDUCE)
  CRESTA_Allreduce_begin(out, in, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
#else
  CRESTA_Alltoall_begin(out, doubles, MPI_DOUBLE, in, doubles, MPI_DOUBLE, MPI_COMM_WORLD, request);
#endif
}

/* Starts from what the compiler cannot know: else it would compute once for all repeats. */
static volatile double sink = 1.0;
static void compute(long steps) {
  double x = sink;
  for (long i = 0; i < steps; ++i) x = x * 0.999999 + 1e-6;
  sink = x;
}

/* Seconds a repeat. */
static double time_of(int communicate, int doubles, long steps, int repeats) {
  double began, took;
  MPI_Barrier(MPI_COMM_WORLD);
  began = MPI_Wtime();
  for (int i = 0; i < repeats; ++i) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (communicate) begin(doubles, &request);
    compute(steps);
    if (communicate) CRESTA_Coll_end(1, &request);
  }
  took = (MPI_Wtime() - began) / repeats;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

int main(int argc, char** argv) {
  int rank, most = argc > 1 ? atoi(argv[1]) : 131072;
  double a_step;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (most < 1) most = 1;
  out = calloc((size_t)most * ranks, sizeof(double));
  in = calloc((size_t)most * ranks, sizeof(double));
  a_step = time_of(0, 0, 1000000, 3) / 1e6;
  if (rank == 0)
    printf("# CRESTA_%s_begin, %d ranks\n#    bytes       C/us       N/us       T/us       O/us    ovl%%\n", name,
           ranks);
  for (int doubles = 1; doubles <= most; doubles *= 4) {
    const int repeats = doubles < 1000 ? 200 : 20;
    double c, n, t, o;
    time_of(1, doubles, 0, repeats);
    n = time_of(1, doubles, 0, repeats);
    {
      const long steps = (long)(n / a_step) + 1;
      c = time_of(0, doubles, steps, repeats);
      t = time_of(1, doubles, steps, repeats);
    }
    o = c + n - t;
    if (rank == 0)
      printf("%10ld %10.2f %10.2f %10.2f %10.2f %7.1f\n", 8L * doubles, 1e6 * c, 1e6 * n, 1e6 * t, 1e6 * o,
             100 * o / (c < n ? c : n));
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
