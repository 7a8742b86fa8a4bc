/* Many collectives of all kinds in flight at once, on several communicators: with a user's operations, derived
   datatypes and lists that are gone as soon as a call has begun, messages between them, and each rank ending them in an
   order of its own, by every completion call. flood [calls [seed]] */
#include "flood.h"

/* Of the ranks from 0 to `last`. */
static void expect_reduced(const struct flight* f, int block, int last) {
  const int unit = f->composes ? 2 : 1;
  for (int i = 0; i < f->count; ++i) {
    word want[2] = {1, 0};
    for (int r = 0; r <= last; ++r) {
      const int at = (block * f->count + i) * unit;
      const word first = value(f->call, f->ranks[r], 0, at),
                 second = f->composes ? value(f->call, f->ranks[r], 0, at + 1) : 0;
      if (f->composes) {
        want[1] = want[1] * first + second;
        want[0] = want[0] * first;
      } else {
        want[1] += first;
      }
    }
    REQUIRE(f->got[i * unit + unit - 1] == want[1]);
    if (f->composes) REQUIRE(f->got[i * unit] == want[0]);
  }
}

/* Block `at` is what `from` had for `to`, both by their ranks in the communicator, with the gaps as they were. */
static void expect_block(const struct flight* f, int at, int from, int to) {
  const int step = f->skips ? 2 : 1;
  for (int i = 0; i < f->count; ++i) {
    const int place = (at * f->count + i) * step;
    REQUIRE(f->got[place] == value(f->call, f->ranks[from], f->ranks[to], i));
    if (f->skips && !(f->what == bcast && f->rank == f->root)) REQUIRE(f->got[place + 1] == 0xa5a5a5a5u);
  }
}

static void check(struct flight* f) {
  const int last = f->size - 1;
  switch (f->what) {
    case barrier:
    case kinds:
      break;
    case bcast:
      expect_block(f, 0, f->root, 0);
      break;
    case gather:
    case gatherv:
      for (int r = 0; r < f->size && f->rank == f->root; ++r) expect_block(f, r, r, 0);
      break;
    case scatter:
    case scatterv:
      expect_block(f, 0, f->root, f->rank);
      break;
    case allgather:
    case allgatherv:
      for (int r = 0; r < f->size; ++r) expect_block(f, r, r, 0);
      break;
    case alltoall:
    case alltoallv:
    case alltoallw:
      for (int r = 0; r < f->size; ++r) expect_block(f, r, r, f->rank);
      break;
    case reduce:
      if (f->rank == f->root) expect_reduced(f, 0, last);
      break;
    case allreduce:
      expect_reduced(f, 0, last);
      break;
    case reduce_scatter:
    case reduce_scatter_block:
      expect_reduced(f, f->rank, last);
      break;
    case scan:
      expect_reduced(f, 0, f->rank);
      break;
    case exscan:
      if (f->rank > 0) expect_reduced(f, 0, f->rank - 1);
      break;
    case neighbors:
      for (int b = 0; b < 2; ++b) expect_block(f, b, neighbour(f, b), 0);
      break;
    case neighborsw: /* the one before has this rank as its second neighbour */
      if (f->size > 2)
        for (int b = 0; b < 2; ++b) expect_block(f, b, neighbour(f, b), 1 - b);
      break;
    case message:
      if (f->rank % 2 == 1) expect_block(f, 0, f->rank - 1, 0);
      break;
  }
  free(f->sent);
  free(f->got);
  free(f->ranks);
  f->what = kinds;
}

static struct flight flights[window];
static MPI_Request requests[window];

/* Some of those in flight, as this rank likes. */
static void complete_some(void) {
  int indices[window], count = 0, flag = 0, index = MPI_UNDEFINED;
  MPI_Request some[window];
  int whose[window], n = 0;
  for (int i = 0; i < window; ++i)
    if (flights[i].what != kinds && below(&own, 3) > 0) {
      some[n] = requests[i];
      whose[n++] = i;
    }
  if (n == 0) return;
  switch (below(&own, 8)) {
    case 0:
      OK(MPI_Waitall(n, some, MPI_STATUSES_IGNORE));
      for (int i = 0; i < n; ++i) indices[count++] = i;
      break;
    case 1:
      OK(MPI_Waitany(n, some, &index, MPI_STATUS_IGNORE));
      if (index != MPI_UNDEFINED) indices[count++] = index;
      break;
    case 2:
      OK(MPI_Waitsome(n, some, &count, indices, MPI_STATUSES_IGNORE));
      if (count == MPI_UNDEFINED) count = 0;
      break;
    case 3:
      OK(MPI_Testsome(n, some, &count, indices, MPI_STATUSES_IGNORE));
      if (count == MPI_UNDEFINED) count = 0;
      break;
    case 4:
      OK(MPI_Testany(n, some, &index, &flag, MPI_STATUS_IGNORE));
      if (flag && index != MPI_UNDEFINED) indices[count++] = index;
      break;
    case 5:
      OK(MPI_Testall(n, some, &flag, MPI_STATUSES_IGNORE));
      for (int i = 0; i < n && flag; ++i) indices[count++] = i;
      break;
    case 6:
      OK(MPI_Test(&some[n - 1], &flag, MPI_STATUS_IGNORE));
      if (flag) indices[count++] = n - 1;
      break;
    default:
      OK(MPI_Wait(&some[n / 2], MPI_STATUS_IGNORE));
      indices[count++] = n / 2;
      break;
  }
  for (int i = 0; i < n; ++i) requests[whose[i]] = some[i];
  for (int i = 0; i < count; ++i) {
    REQUIRE(requests[whose[indices[i]]] == MPI_REQUEST_NULL);
    check(&flights[whose[indices[i]]]);
  }
  for (int i = 0; i < n; ++i) /* nothing was to be waited for */
    if (flights[whose[i]].what == message && requests[whose[i]] == MPI_REQUEST_NULL) check(&flights[whose[i]]);
}

static void open_brief(void) {
  for (int c = standing; c < comms; ++c) OK(MPI_Comm_dup(comm_of[c % standing], &comm_of[c]));
}

static void open_communicators(void) {
  const int ring[1] = {ranks}, periodic[1] = {1};
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm_of[0]));
  OK(MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &comm_of[1]));
  OK(MPI_Cart_create(MPI_COMM_WORLD, 1, ring, periodic, 0, &comm_of[2]));
  open_brief();
}

static void finish(int place) {
  if (flights[place].what == kinds) return;
  OK(MPI_Wait(&requests[place], MPI_STATUS_IGNORE));
  check(&flights[place]);
}
static void finish_all(void) {
  for (int i = 0; i < window; ++i) finish(i);
}

/* The places are taken in the same order on all ranks. A brief communicator is freed with its first call in flight. */
static void next_call(int call, int* freed) {
  const int which = below(&alike, 10) == 0 ? standing + *freed % brief : below(&alike, standing);
  struct flight* f = &flights[call % window];
  finish(call % window);
  translate(comm_of[which], f);
  f->call = call;
  f->what = (enum kind)below(&alike, which % standing == 2 ? kinds : neighbors);
  f->root = below(&alike, which % standing == 1 ? 1 : f->size);
  f->count = below(&alike, most_count) + 1;
  f->skips = below(&alike, 2);
  f->composes = below(&alike, 2) && f->what >= reduce && f->what <= exscan;
  begin(f, comm_of[which], &requests[call % window]);
  if (which < standing) return;
  OK(MPI_Comm_free(&comm_of[which]));
  if (++*freed % brief != 0) return;
  finish_all();
  open_brief();
}

int main(int argc, char** argv) {
  int calls = 400, freed = 0;
  start(&argc, &argv);
  if (argc > 1) calls = atoi(argv[1]);
  alike = argc > 2 ? (word)atoi(argv[2]) : 1u;
  own = alike * 31u + (word)me;
  open_communicators();
  for (int i = 0; i < window; ++i) {
    flights[i].what = kinds;
    requests[i] = MPI_REQUEST_NULL;
  }
  for (int call = 0; call < calls; ++call) {
    next_call(call, &freed);
    while (below(&own, 3) == 0) complete_some();
  }
  finish_all();
  for (int c = 0; c < comms; ++c)
    if (comm_of[c] != MPI_COMM_NULL) OK(MPI_Comm_free(&comm_of[c]));
  passed("flood");
  MPI_Finalize();
  return 0;
}
