/* make test: verifies CRESTA's collectives, whatever implementations the library was built with. With an argument it
   damages what they give, one after the other: each must be noticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cresta_sp_coll.h"
#include "crestacoll.h"

enum { most_ranks = 64, most = 4 * most_ranks * most_ranks };

static int me, ranks, faults, damage;
static int send[most], receive[most], expected[most];
static int send_counts[most_ranks], send_places[most_ranks], receive_counts[most_ranks], receive_places[most_ranks];

/* What rank `from` sends, from the i-th place. */
static int number(int from, int i) { return 1000 * from + i; }
static void begin_case(void) {
  for (int i = 0; i < most; ++i) {
    send[i] = number(me, i);
    receive[i] = expected[i] = -1;
  }
}

/* Compares on all ranks; rank 0 says so. `split`: begun, and then ended. */
static void end_case(const char* name, int split, int status) {
  int wrong, any;
  if (damage && me == ranks - 1) receive[0] += 1;
  wrong = status != MPI_SUCCESS || memcmp(receive, expected, sizeof receive) != 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  faults += any;
  if (me == 0 && any) printf("Error in CRESTA_%s%s\n", name, split ? "_begin" : "");
  if (me == 0 && !any) printf("CRESTA_%s%s is correct\n", name, split ? "_begin" : "");
}

#define UNPACKED(...) __VA_ARGS__

/* A case: both ways. While one is split, the send buffer is damaged where the library protects it. */
#define CASE(name, arguments, ...)                                                  \
  for (int split = 0; split < 2; ++split) {                                         \
    MPI_Request request;                                                            \
    int status;                                                                     \
    begin_case();                                                                   \
    __VA_ARGS__;                                                                    \
    if (!split) {                                                                   \
      status = CRESTA_##name(UNPACKED arguments, MPI_COMM_WORLD);                   \
    } else {                                                                        \
      status = CRESTA_##name##_begin(UNPACKED arguments, MPI_COMM_WORLD, &request); \
      PROTECTED;                                                                    \
      if (status == MPI_SUCCESS) status = CRESTA_Coll_end(1, &request);             \
    }                                                                               \
    end_case(#name, split, status);                                                 \
  }

#if defined(_PROTECTED_BUFFER)
#define PROTECTED memset(send, 0, sizeof send)
#else
#define PROTECTED (void)0
#endif

static void cases(int root) {
  const int last = ranks - 1;
  int i, r, all = 0;
  for (r = 0; r < ranks; ++r) {
    send_counts[r] = me + r + 1; /* of Alltoallv; of the others: r + 1 */
    send_places[r] = r == 0 ? 0 : send_places[r - 1] + send_counts[r - 1];
    receive_counts[r] = r + 1;
    receive_places[r] = all;
    all += r + 1;
  }
  CASE(
      Bcast, (receive, 5, MPI_INT, root), for (i = 0; i < 5; ++i) {
        expected[i] = number(root, i);
        if (me == root) receive[i] = number(root, i);
      })
  CASE(Gather, (send, 3, MPI_INT, receive, 3, MPI_INT, root),
       if (me == root) for (i = 0; i < 3 * ranks; ++i) expected[i] = number(i / 3, i % 3))
  CASE(Gatherv, (send, me + 1, MPI_INT, receive, receive_counts, receive_places, MPI_INT, root),
       if (me == root) for (r = 0; r < ranks; ++r) for (i = 0; i <= r; ++i) expected[receive_places[r] + i] =
           number(r, i))
  CASE(Scatter, (send, 3, MPI_INT, receive, 3, MPI_INT, root),
       for (i = 0; i < 3; ++i) expected[i] = number(root, 3 * me + i))
  CASE(Scatterv, (send, receive_counts, receive_places, MPI_INT, receive, me + 1, MPI_INT, root),
       for (i = 0; i <= me; ++i) expected[i] = number(root, receive_places[me] + i))
  CASE(Reduce, (send, receive, 7, MPI_INT, MPI_MAX, root),
       if (me == root) for (i = 0; i < 7; ++i) expected[i] = number(last, i))
  CASE(Allgather, (send, 2, MPI_INT, receive, 2, MPI_INT),
       for (i = 0; i < 2 * ranks; ++i) expected[i] = number(i / 2, i % 2))
  CASE(Allgatherv, (send, me + 1, MPI_INT, receive, receive_counts, receive_places, MPI_INT),
       for (r = 0; r < ranks; ++r) for (i = 0; i <= r; ++i) expected[receive_places[r] + i] = number(r, i))
  CASE(Allreduce, (send, receive, 100, MPI_INT, MPI_SUM),
       for (i = 0; i < 100; ++i) expected[i] = 1000 * (ranks * last / 2) + ranks * i)
  CASE(Reduce_scatter, (send, receive, receive_counts, MPI_INT, MPI_SUM),
       for (i = 0; i <= me; ++i) expected[i] = 1000 * (ranks * last / 2) + ranks * (receive_places[me] + i))
  CASE(Alltoall, (send, 2, MPI_INT, receive, 2, MPI_INT),
       for (i = 0; i < 2 * ranks; ++i) expected[i] = number(i / 2, 2 * me + i % 2))
  for (r = all = 0; r < ranks; ++r) {
    receive_counts[r] = me + r + 1;
    receive_places[r] = all;
    all += me + r + 1;
  }
  CASE(
      Alltoallv, (send, send_counts, send_places, MPI_INT, receive, receive_counts, receive_places, MPI_INT),
      for (r = 0; r < ranks; ++r) {
        int before = 0; /* on rank r, before the block for me */
        for (i = 0; i < me; ++i) before += r + i + 1;
        for (i = 0; i <= me + r; ++i) expected[receive_places[r] + i] = number(r, before + i);
      })
}

/* Several in flight, MPI's own among them. */
static void several(void) {
  MPI_Request requests[4];
  int sum = 0, one = 1, incoming = -1, word = me == 0 ? 7 : 0, status, wrong, any;
  MPI_Irecv(&incoming, 1, MPI_INT, (me + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &requests[0]);
  status = CRESTA_Allreduce_begin(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  if (status == MPI_SUCCESS) status = CRESTA_Bcast_begin(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&me, 1, MPI_INT, (me + 1) % ranks, 3, MPI_COMM_WORLD, &requests[3]);
  if (status == MPI_SUCCESS) status = CRESTA_Coll_end(4, requests);
  wrong = status != MPI_SUCCESS || sum != ranks || word != 7 || incoming != (me + ranks - 1) % ranks ||
          requests[1] != MPI_REQUEST_NULL;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  faults += any;
  if (me == 0) printf(any ? "Error in CRESTA_Coll_end\n" : "CRESTA_Coll_end is correct\n");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  damage = argc > 1;
  if (ranks > most_ranks) {
    if (me == 0) printf("at most %d ranks\n", most_ranks);
    MPI_Finalize();
    return 2;
  }
  CRESTA_Win_init(MPI_COMM_WORLD);
  cases(0);
  cases(ranks - 1);
  several();
  CRESTA_Win_finalize();
  if (me == 0) printf("%d ranks: %d errors\n", ranks, faults);
  MPI_Finalize();
  return faults != 0;
}
