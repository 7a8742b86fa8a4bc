/* The calls of flood.c: what each rank has for each other one, and how they begin. */
#ifndef WHERRY_TESTS_COMPAT_PRELOAD_FLOOD_H
#define WHERRY_TESTS_COMPAT_PRELOAD_FLOOD_H

#include <string.h>

#include "support.h"

enum { most_count = 9, window = 24, standing = 3, brief = 12, comms = standing + brief };

typedef unsigned word;

/* A sequence that all ranks draw alike, and one of this rank's own. */
static word alike, own;
static word next(word* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}
static int below(word* state, int limit) { return (int)(next(state) % (word)limit); }

/* What rank `from` has for rank `to` in a call. */
static word value(int call, int from, int to, int i) {
  return ((word)call * 7919u + (word)from * 104729u + (word)to * 1299709u + (word)i * 15485863u) ^ 0x5bd1e995u;
}

/* Pairs of words, as the functions x -> first * x + second: their composition does not commute. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const word* a = in;
  word* b = inout;
  MPI_Count bytes = 0;
  MPI_Type_size_x(*type, &bytes);
  REQUIRE(bytes == 2 * (int)sizeof(word));
  for (int i = 0; i < *count; ++i, a += 2, b += 2) {
    b[1] = a[1] * b[0] + b[1];
    b[0] = a[0] * b[0];
  }
}
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  const word* a = in;
  word* b = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) b[i] += a[i];
}

enum kind {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  neighbors,
  neighborsw,
  message,
  kinds
};

/* One that is in flight. Of what it sends and gets each word has a gap behind it where it `skips` one. */
struct flight {
  enum kind what;
  int call, rank, size, root, count, skips, composes;
  word *sent, *got;
  int* ranks; /* in the world, of its communicator's */
};

static MPI_Comm comm_of[comms];

static void* memory(size_t bytes) {
  void* got = malloc(bytes > 0 ? bytes : 1);
  REQUIRE(got != NULL);
  memset(got, 0xa5, bytes);
  return got;
}

/* A word, alone or with a gap behind it: then the program's own type, to be freed. */
static MPI_Datatype type_of(int skips) {
  MPI_Datatype type = MPI_UNSIGNED, gapped;
  if (!skips) return type;
  OK(MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * sizeof(word), &gapped));
  OK(MPI_Type_commit(&gapped));
  return gapped;
}

static void translate(MPI_Comm comm, struct flight* f) {
  MPI_Group group, world;
  int all[most_ranks];
  MPI_Comm_rank(comm, &f->rank);
  MPI_Comm_size(comm, &f->size);
  for (int r = 0; r < f->size; ++r) all[r] = r;
  f->ranks = memory(most_ranks * sizeof(int));
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, f->size, all, world, f->ranks);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
}

/* The ring that the last of the standing communicators is: before, behind. */
static int neighbour(const struct flight* f, int place) { return (f->rank + (place == 0 ? f->size - 1 : 1)) % f->size; }

static void begin(struct flight* f, MPI_Comm comm, MPI_Request* request) {
  const int size = f->size, blocks = size < 2 ? 2 : size, step = f->skips ? 2 : 1, n = f->count;
  const size_t words = (size_t)(blocks * n * step * 2);
  int *counts = memory(blocks * sizeof(int)), *places = memory(blocks * sizeof(int)),
      *bytes = memory(blocks * sizeof(int));
  MPI_Aint* addresses = memory(blocks * sizeof(MPI_Aint));
  MPI_Datatype *types = memory(blocks * sizeof(MPI_Datatype)), type = type_of(f->skips), pair = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_SUM;
  const int is_reduction = f->what >= reduce && f->what <= exscan;
  f->sent = memory(words * sizeof(word));
  f->got = memory(words * sizeof(word));
  for (int b = 0; b < blocks; ++b) {
    counts[b] = n;
    places[b] = b * n;
    bytes[b] = b * n * step * (int)sizeof(word);
    addresses[b] = bytes[b];
    types[b] = type;
  }
  if (is_reduction) {
    for (int i = 0; i < 2 * blocks * n; ++i) f->sent[i] = value(f->call, f->ranks[f->rank], 0, i);
    if (f->composes) {
      OK(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
      OK(MPI_Type_commit(&pair));
    }
    if (f->composes || f->skips) OK(MPI_Op_create(f->composes ? compose : add, !f->composes, &op));
  } else {
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < n; ++i)
        f->sent[(b * n + i) * step] = value(f->call, f->ranks[f->rank], b < size ? f->ranks[b] : b, i);
  }
  const MPI_Datatype of = f->composes ? pair : MPI_UNSIGNED;
  const int root = f->root;
  switch (f->what) {
    case barrier:
      OK(MPI_Ibarrier(comm, request));
      break;
    case bcast:
      if (f->rank == root) memcpy(f->got, f->sent, words * sizeof(word));
      OK(MPI_Ibcast(f->got, n, type, root, comm, request));
      break;
    case gather:
      OK(MPI_Igather(f->sent, n, type, f->got, n, type, root, comm, request));
      break;
    case gatherv:
      OK(MPI_Igatherv(f->sent, n, type, f->got, counts, places, type, root, comm, request));
      break;
    case scatter:
      OK(MPI_Iscatter(f->sent, n, type, f->got, n, type, root, comm, request));
      break;
    case scatterv:
      OK(MPI_Iscatterv(f->sent, counts, places, type, f->got, n, type, root, comm, request));
      break;
    case allgather:
      OK(MPI_Iallgather(f->sent, n, type, f->got, n, type, comm, request));
      break;
    case allgatherv:
      OK(MPI_Iallgatherv(f->sent, n, type, f->got, counts, places, type, comm, request));
      break;
    case alltoall:
      OK(MPI_Ialltoall(f->sent, n, type, f->got, n, type, comm, request));
      break;
    case alltoallv:
      OK(MPI_Ialltoallv(f->sent, counts, places, type, f->got, counts, places, type, comm, request));
      break;
    case alltoallw:
      OK(MPI_Ialltoallw(f->sent, counts, bytes, types, f->got, counts, bytes, types, comm, request));
      break;
    case reduce:
      OK(MPI_Ireduce(f->sent, f->got, n, of, op, root, comm, request));
      break;
    case allreduce:
      OK(MPI_Iallreduce(f->sent, f->got, n, of, op, comm, request));
      break;
    case reduce_scatter:
      OK(MPI_Ireduce_scatter(f->sent, f->got, counts, of, op, comm, request));
      break;
    case reduce_scatter_block:
      OK(MPI_Ireduce_scatter_block(f->sent, f->got, n, of, op, comm, request));
      break;
    case scan:
      OK(MPI_Iscan(f->sent, f->got, n, of, op, comm, request));
      break;
    case exscan:
      OK(MPI_Iexscan(f->sent, f->got, n, of, op, comm, request));
      break;
    case neighbors:
      OK(MPI_Ineighbor_allgatherv(f->sent, n, type, f->got, counts, places, type, comm, request));
      break;
    case neighborsw:
      OK(MPI_Ineighbor_alltoallw(f->sent, counts, addresses, types, f->got, counts, addresses, types, comm, request));
      break;
    default: /* in pairs */
      if (f->rank % 2 == 1) OK(MPI_Irecv(f->got, n, type, f->rank - 1, f->call % 1000, comm, request));
      if (f->rank % 2 == 0 && f->rank + 1 < size)
        OK(MPI_Isend(f->sent, n, type, f->rank + 1, f->call % 1000, comm, request));
      break;
  }
  if (type != MPI_UNSIGNED) OK(MPI_Type_free(&type));
  if (pair != MPI_DATATYPE_NULL) OK(MPI_Type_free(&pair));
  if (op != MPI_SUM) OK(MPI_Op_free(&op));
  memset(counts, 0x7f, blocks * sizeof(int));
  memset(places, 0x7f, blocks * sizeof(int));
  memset(bytes, 0x7f, blocks * sizeof(int));
  memset(addresses, 0x7f, blocks * sizeof(MPI_Aint));
  memset(types, 0x7f, blocks * sizeof(MPI_Datatype));
  free(counts);
  free(places);
  free(bytes);
  free(addresses);
  free(types);
}

#endif
