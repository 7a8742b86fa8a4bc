/* What the programs under the preload share. They know MPI, and nothing of Wherry. */
#ifndef WHERRY_TESTS_COMPAT_PRELOAD_SUPPORT_H
#define WHERRY_TESTS_COMPAT_PRELOAD_SUPPORT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_ranks = 8 };

static int me, ranks;

#define REQUIRE(condition)                                                                               \
  do {                                                                                                   \
    if (!(condition)) {                                                                                  \
      fprintf(stderr, "[rank %d of %d] %s:%d: not so: %s\n", me, ranks, __FILE__, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                      \
    }                                                                                                    \
  } while (0)
#define OK(call) REQUIRE((call) == MPI_SUCCESS)

static inline void start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(ranks <= most_ranks);
}

/* Not by a collective: the report counts those. */
static inline void passed(const char* name) {
  if (me == 0) printf("%s: %d ranks passed\n", name, ranks);
  fflush(stdout);
}

#endif
