/* Collectives by several threads of a rank at once, each on a communicator of its own: random ones, blocking, begun and
 * persistent, several in flight. Where MPI has no MPI_THREAD_MULTIPLE, or "funneled" is asked for, by the main thread
 * alone, while the others compute.
 *
 *     threads CALLS SEED [funneled] [persistent] [often]     CALLS by each thread; SEED 0: one of its own */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "persistent_init.h"
#include "support.h"

enum { most_threads = 3, most_begun = 4, most_persistent = 3, longest = 3000, seconds = TEST_SECONDS };

enum kind {
  barrier,
  bcast,
  gather,
  scatter,
  reduce,
  allreduce,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  scan,
  exscan,
  reduce_scatter_block,
  kinds
};
static const char* const names[kinds] = {
    "barrier",    "bcast",    "gather",    "scatter", "reduce", "allreduce",           "allgather",
    "allgatherv", "alltoall", "alltoallv", "scan",    "exscan", "reduce_scatter_block"};

enum form { blocking, begun, persistent };
static const char* const forms[] = {"", " begun", " persistent"};

/* One call and its buffers. */
struct collective {
  enum kind kind;
  enum form form;
  int count, root, number; /* number: of the data */
  int send[most_ranks * longest], receive[most_ranks * longest], counts[most_ranks], places[most_ranks];
  MPI_Request request;
};

/* What a thread has, and what it does: read by the alarm. */
struct thread {
  pthread_t handle;
  MPI_Comm comm;
  unsigned long long random, own; /* the one the same on all ranks */
  int rank, calls, often, with_persistent;
  volatile int call;
  const char* volatile doing, * volatile how;
  struct collective now, begun[most_begun], persistent[most_persistent];
};
static struct thread threads[most_threads];
static int threads_there_are = most_threads;

static int next_below(unsigned long long* state, int most) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (int)((*state >> 20) % (unsigned long long)most);
}
static int below(struct thread* t, int most) { return next_below(&t->random, most); }

/* What rank r contributes: small enough to be added up. */
static int value(const struct collective* c, int r, int i) { return (c->number * 97 + r * 1009 + i * 7) % 1000003; }
static int sum_to(const struct collective* c, int last, int i) {
  int sum = 0;
  for (int r = 0; r <= last; ++r) sum += value(c, r, i);
  return sum;
}

static void draw(struct thread* t, struct collective* c, enum form form) {
  static const int lengths[] = {1, 40, 500, longest};
  c->kind = (enum kind)below(t, kinds);
  c->form = form;
  c->count = lengths[below(t, 4)];
  c->root = below(t, ranks);
  for (int r = 0; r < ranks; ++r) {
    c->counts[r] = c->count;
    c->places[r] = r * c->count;
  }
}

static void fill(struct thread* t, struct collective* c, int number) {
  c->number = number;
  for (int i = 0; i < ranks * c->count; ++i) {
    c->send[i] = value(c, t->rank, i);
    c->receive[i] = -1;
  }
  if (c->kind == bcast && t->rank == c->root) memcpy(c->receive, c->send, sizeof(int) * (size_t)c->count);
}

#if defined(INIT)
#define PERSISTENT(big, ...) INIT(big)(__VA_ARGS__, MPI_INFO_NULL, &c->request)
#else
#define PERSISTENT(big, ...) MPI_ERR_OTHER
#endif
#define CALL(big, small, ...)                                     \
  OK(c->form == blocking ? MPI_##big(__VA_ARGS__)                 \
     : c->form == begun  ? MPI_I##small(__VA_ARGS__, &c->request) \
                         : PERSISTENT(big, __VA_ARGS__));          \
  break

static void call(struct thread* t, struct collective* c) {
  const MPI_Comm comm = t->comm;
  const int n = c->count;
  t->doing = names[c->kind];
  t->how = forms[c->form];
  switch (c->kind) {
    case barrier:
      CALL(Barrier, barrier, comm);
    case bcast:
      CALL(Bcast, bcast, c->receive, n, MPI_INT, c->root, comm);
    case gather:
      CALL(Gather, gather, c->send, n, MPI_INT, c->receive, n, MPI_INT, c->root, comm);
    case scatter:
      CALL(Scatter, scatter, c->send, n, MPI_INT, c->receive, n, MPI_INT, c->root, comm);
    case reduce:
      CALL(Reduce, reduce, c->send, c->receive, n, MPI_INT, MPI_SUM, c->root, comm);
    case allreduce:
      CALL(Allreduce, allreduce, c->send, c->receive, n, MPI_INT, MPI_SUM, comm);
    case allgather:
      CALL(Allgather, allgather, c->send, n, MPI_INT, c->receive, n, MPI_INT, comm);
    case allgatherv:
      CALL(Allgatherv, allgatherv, c->send, n, MPI_INT, c->receive, c->counts, c->places, MPI_INT, comm);
    case alltoall:
      CALL(Alltoall, alltoall, c->send, n, MPI_INT, c->receive, n, MPI_INT, comm);
    case alltoallv:
      CALL(Alltoallv, alltoallv, c->send, c->counts, c->places, MPI_INT, c->receive, c->counts, c->places, MPI_INT,
           comm);
    case scan:
      CALL(Scan, scan, c->send, c->receive, n, MPI_INT, MPI_SUM, comm);
    case exscan:
      CALL(Exscan, exscan, c->send, c->receive, n, MPI_INT, MPI_SUM, comm);
    case reduce_scatter_block:
      CALL(Reduce_scatter_block, reduce_scatter_block, c->send, c->receive, n, MPI_INT, MPI_SUM, comm);
    case kinds:
      break;
  }
}

/* Element i of what must be there. */
static int expected(const struct thread* t, const struct collective* c, int i) {
  const int n = c->count, block = i / n;
  switch (c->kind) {
    case bcast:
      return value(c, c->root, i);
    case gather:
    case allgather:
    case allgatherv:
      return value(c, block, i % n);
    case scatter:
      return value(c, c->root, t->rank * n + i);
    case reduce:
    case allreduce:
      return sum_to(c, ranks - 1, i);
    case alltoall:
    case alltoallv:
      return value(c, block, t->rank * n + i % n);
    case scan:
      return sum_to(c, t->rank, i);
    case exscan:
      return sum_to(c, t->rank - 1, i);
    case reduce_scatter_block:
      return sum_to(c, ranks - 1, t->rank * n + i);
    default:
      return 0;
  }
}

static int elements_expected(const struct thread* t, const struct collective* c) {
  switch (c->kind) {
    case barrier:
      return 0;
    case gather:
      return t->rank == c->root ? ranks * c->count : 0;
    case reduce:
      return t->rank == c->root ? c->count : 0;
    case exscan:
      return t->rank > 0 ? c->count : 0;
    case allgather:
    case allgatherv:
    case alltoall:
    case alltoallv:
      return ranks * c->count;
    default:
      return c->count;
  }
}

static void check(const struct thread* t, const struct collective* c) {
  const int all = elements_expected(t, c);
  for (int i = 0; i < all; ++i) {
    if (c->receive[i] == expected(t, c, i)) continue;
    fprintf(stderr, "[rank %d of %d] thread %d, call %d: %s%s of %d: element %d is %d, should be %d\n", me, ranks,
            (int)(t - threads), t->call, names[c->kind], forms[c->form], c->count, i, c->receive[i], expected(t, c, i));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void end(struct thread* t, struct collective* c) {
  int done = 0;
  t->doing = names[c->kind];
  t->how = c->form == begun ? " begun, its end" : " persistent, its end";
  if (next_below(&t->own, 2) == 0) {
    OK(MPI_Wait(&c->request, MPI_STATUS_IGNORE));
  } else {
    while (!done) OK(MPI_Test(&c->request, &done, MPI_STATUS_IGNORE));
  }
  check(t, c);
}

static void several_begun(struct thread* t) {
  const int many = 1 + below(t, most_begun);
  int left = many, order[most_begun];
  for (int i = 0; i < many; ++i) {
    order[i] = i;
    draw(t, &t->begun[i], begun);
    fill(t, &t->begun[i], t->call + i);
    call(t, &t->begun[i]);
  }
  while (left > 0) { /* in an order of this rank's */
    const int which = next_below(&t->own, left);
    end(t, &t->begun[order[which]]);
    order[which] = order[--left];
  }
}

static void make_persistent(struct thread* t) {
  for (int i = 0; i < most_persistent; ++i) {
    draw(t, &t->persistent[i], persistent);
    fill(t, &t->persistent[i], 0);
    call(t, &t->persistent[i]);
  }
}

static void start_persistent(struct thread* t) {
  for (int i = 0; i < most_persistent; ++i) {
    fill(t, &t->persistent[i], t->call + i);
    OK(MPI_Start(&t->persistent[i].request));
  }
  for (int i = most_persistent - 1; i >= 0; --i) end(t, &t->persistent[i]);
}

static void free_persistent(struct thread* t) {
  for (int i = 0; i < most_persistent; ++i) OK(MPI_Request_free(&t->persistent[i].request));
}

static void blocking_one(struct thread* t) {
  draw(t, &t->now, blocking);
  fill(t, &t->now, t->call);
  call(t, &t->now);
  check(t, &t->now);
}

static void many_sums(struct thread* t) {
  t->now.kind = allreduce;
  t->now.form = blocking;
  t->now.count = 1;
  for (int i = 0; i < 200; ++i) {
    fill(t, &t->now, i);
    call(t, &t->now);
    check(t, &t->now);
  }
}

static void* collectives(void* given) {
  struct thread* const t = given;
  if (t->with_persistent) make_persistent(t);
  for (t->call = 0; t->call < t->calls; ++t->call) {
    const int what = below(t, 4);
    if (what == 0) {
      several_begun(t);
    } else if (what == 1 && t->with_persistent) {
      start_persistent(t);
      if (below(t, 8) == 0) {
        free_persistent(t);
        make_persistent(t);
      }
    } else {
      blocking_one(t);
    }
  }
  if (t->with_persistent) free_persistent(t);
  if (t->often) many_sums(t);
  t->doing = "nothing any more";
  t->how = "";
  return NULL;
}

/* What knows nothing of MPI, for as long as the other thread has not unlocked this. */
static void* computation(void* given) {
  const struct timespec pause = {0, 50000};
  while (pthread_mutex_trylock(given) != 0) nanosleep(&pause, NULL);
  pthread_mutex_unlock(given);
  return NULL;
}

/* Before the test's own time is over. */
static void tell(int number) {
  (void)number;
  for (int i = 0; i < threads_there_are; ++i)
    fprintf(stderr, "[rank %d of %d] thread %d has been in call %d for long: %s%s\n", me, ranks, i, threads[i].call,
            threads[i].doing, threads[i].how);
  _exit(1);
}

static void by_all_threads(void) {
  for (int i = 0; i < threads_there_are; ++i)
    REQUIRE(pthread_create(&threads[i].handle, NULL, collectives, &threads[i]) == 0);
  for (int i = 0; i < threads_there_are; ++i) REQUIRE(pthread_join(threads[i].handle, NULL) == 0);
}

static void by_the_main_thread(void) {
  static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
  pthread_t other;
  pthread_mutex_lock(&busy);
  REQUIRE(pthread_create(&other, NULL, computation, &busy) == 0);
  collectives(&threads[0]);
  pthread_mutex_unlock(&busy);
  REQUIRE(pthread_join(other, NULL) == 0);
}

static int among(char** words, const char* word) {
  for (; *words != NULL; ++words)
    if (strcmp(*words, word) == 0) return 1;
  return 0;
}

int main(int argc, char** argv) {
  int given = 0;
  unsigned long long seed;
  const int wanted = among(argv, "funneled") ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
  MPI_Init_thread(&argc, &argv, wanted, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  REQUIRE(ranks <= most_ranks && argc >= 3);
  if (given < MPI_THREAD_MULTIPLE) threads_there_are = 1;
  if (me == 0 && given < wanted) puts("threads: this MPI has no MPI_THREAD_MULTIPLE: one thread calls all");
  seed = strtoull(argv[2], NULL, 10);
  if (seed == 0) seed = (unsigned long long)time(NULL) * 2654435761u + 1;
  OK(MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD));
  if (me == 0) printf("threads: seed %llu\n", seed);
  fflush(stdout);
  for (int i = 0; i < threads_there_are; ++i) { /* one communicator has the ranks in another order */
    struct thread* const t = &threads[i];
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, i == 1 ? -me : me, &t->comm));
    OK(MPI_Comm_rank(t->comm, &t->rank));
    t->random = seed * 6364136223846793005u + (unsigned)i * 1442695040888963407u + 1;
    t->own = t->random + (unsigned)me * 2654435761u;
    t->calls = atoi(argv[1]);
    t->often = among(argv, "often");
    t->with_persistent = among(argv, "persistent");
    t->doing = t->how = "";
  }
  signal(SIGALRM, tell);
  alarm(seconds);
  if (threads_there_are > 1) {
    by_all_threads();
  } else {
    by_the_main_thread();
  }
  for (int i = 0; i < threads_there_are; ++i) OK(MPI_Comm_free(&threads[i].comm));
  if (me == 0) printf("threads: %d at once\n", threads_there_are);
  passed("threads");
  MPI_Finalize();
  return 0;
}
