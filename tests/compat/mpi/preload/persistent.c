/* Persistent collectives and messages in one list, started in another order on each rank, by every completion call. */
#include "persistent_init.h"
#include "support.h"

#if defined(INIT)

enum { length = 1000, all = 6 };

static int word[length], sum[length], numbers[length], given[most_ranks], exchanged[most_ranks], incoming, outgoing,
    least[2];
static MPI_Request requests[all];

static int left(void) { return (me + ranks - 1) % ranks; }

static void make(void) {
  OK(INIT(Bcast)(word, length, MPI_INT, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  OK(MPI_Recv_init(&incoming, 1, MPI_INT, left(), 1, MPI_COMM_WORLD, &requests[1]));
  OK(INIT(Allreduce)(numbers, sum, length, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]));
  OK(MPI_Send_init(&outgoing, 1, MPI_INT, (me + 1) % ranks, 1, MPI_COMM_WORLD, &requests[3]));
  OK(INIT(Alltoall)(given, 1, MPI_INT, exchanged, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[4]));
  OK(INIT(Allreduce)(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[5]));
}

static void fill(int round) {
  for (int i = 0; i < length; ++i) {
    word[i] = me == ranks - 1 ? round + i : -1;
    numbers[i] = round * i + me;
    sum[i] = -1;
  }
  for (int r = 0; r < ranks; ++r) {
    given[r] = 100 * round + 10 * me + r;
    exchanged[r] = -1;
  }
  outgoing = 1000 * round + me;
  incoming = -1;
  least[0] = round + me;
  least[1] = -me;
}

static void check(int round) {
  for (int i = 0; i < length; ++i)
    REQUIRE(word[i] == round + i && sum[i] == ranks * round * i + ranks * (ranks - 1) / 2);
  for (int r = 0; r < ranks; ++r) REQUIRE(exchanged[r] == 100 * round + 10 * r + me);
  REQUIRE(incoming == 1000 * round + left());
  REQUIRE(least[0] == round && least[1] == 1 - ranks);
}

/* All at once, or one by one: forwards on even ranks, backwards on odd ones. */
static void begin(int round) {
  fill(round);
  if (round % 3 == 0) {
    OK(MPI_Startall(all, requests));
  } else {
    for (int i = 0; i < all; ++i) OK(MPI_Start(&requests[me % 2 == 0 ? i : all - 1 - i]));
  }
}

static void each_way(int round) {
  MPI_Status statuses[all], status;
  int flag = 0, index, indices[all], count;
  const MPI_Request before = requests[2];
  begin(round);
  switch (round % 8) {
    case 0:
      for (int i = all - 1; i >= 0; --i) OK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
      break;
    case 1:
      OK(MPI_Waitall(all, requests, MPI_STATUSES_IGNORE));
      break;
    case 2:
      OK(MPI_Waitall(all, requests, statuses));
      REQUIRE(statuses[1].MPI_SOURCE == left() && statuses[1].MPI_TAG == 1);
      OK(MPI_Get_count(&statuses[0], MPI_BYTE, &count));
      REQUIRE(count == 0);
      break;
    case 3:
      for (int i = 0; i < all; ++i) {
        OK(MPI_Waitany(all, requests, &index, &status));
        REQUIRE(index >= 0 && index < all);
      }
      OK(MPI_Waitany(all, requests, &index, &status)); /* none is active */
      REQUIRE(index == MPI_UNDEFINED);
      break;
    case 4:
      for (int done = 0; done < all; done += count) {
        OK(MPI_Waitsome(all, requests, &count, indices, statuses));
        REQUIRE(count > 0);
      }
      break;
    case 5:
      for (int i = 0; i < all; ++i)
        for (flag = 0; !flag;) OK(MPI_Test(&requests[i], &flag, &status));
      break;
    case 6:
      while (!flag) OK(MPI_Testall(all, requests, &flag, statuses));
      break;
    default:
      for (int i = 0; i < all; ++i)
        for (flag = 0; !flag;) OK(MPI_Request_get_status(requests[i], &flag, &status));
      for (int done = 0; done < all; done += count) OK(MPI_Testsome(all, requests, &count, indices, statuses));
      break;
  }
  REQUIRE(requests[2] == before);
  check(round);
}

static void free_them(void) {
  for (int i = 0; i < all; ++i) {
    OK(MPI_Request_free(&requests[i]));
    REQUIRE(requests[i] == MPI_REQUEST_NULL);
  }
}

/* Each rank starts its two in an order of its own, the one more often than the other until they are even. */
static void out_of_step(void) {
  int one = 0, two = 0;
  MPI_Request first, second;
  OK(INIT(Bcast)(&one, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &first));
  OK(INIT(Bcast)(&two, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &second));
  for (int round = 1; round < 20; ++round) {
    one = me == 0 ? round : -1;
    two = me == 0 ? -round : 1;
    OK(MPI_Start(me % 2 == 0 ? &first : &second));
    OK(MPI_Start(me % 2 == 0 ? &second : &first));
    OK(MPI_Wait(&second, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&first, MPI_STATUS_IGNORE));
    REQUIRE(one == round && two == -round);
  }
  OK(MPI_Request_free(&first));
  OK(MPI_Request_free(&second));
}

/* Those that the rounds do not have */
static void the_others(void) {
  enum { most = 24 };
  static int send[most_ranks], mine[most][most_ranks], ones[most_ranks], apart[most_ranks], in_bytes[most_ranks];
  static MPI_Aint far[2] = {0, sizeof(int)};
  MPI_Datatype types[most_ranks];
  MPI_Request some[most];
  MPI_Comm ring;
  int made = 0, scanned = 0, periodic = 1, total = 0;
  const int right = (me + 1) % ranks;
  for (int r = 0; r < most_ranks; ++r) {
    ones[r] = 1;
    apart[r] = r;
    in_bytes[r] = r * (int)sizeof(int);
    OK(MPI_Type_contiguous(1, MPI_INT, &types[r]));
    OK(MPI_Type_commit(&types[r]));
  }
#define WORLD MPI_COMM_WORLD, MPI_INFO_NULL, &some[made++]
#define RING ring, MPI_INFO_NULL, &some[made++]
  OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
  OK(INIT(Gather)(send, 1, MPI_INT, mine[0], 1, MPI_INT, 0, WORLD));
  OK(INIT(Gatherv)(send, 1, MPI_INT, mine[1], ones, apart, MPI_INT, 0, WORLD));
  OK(INIT(Scatter)(send, 1, MPI_INT, mine[2], 1, MPI_INT, 0, WORLD));
  OK(INIT(Scatterv)(send, ones, apart, MPI_INT, mine[3], 1, MPI_INT, 0, WORLD));
  OK(INIT(Reduce)(send, mine[4], 1, MPI_INT, MPI_MAX, 0, WORLD));
  OK(INIT(Allgather)(send, 1, MPI_INT, mine[5], 1, MPI_INT, WORLD));
  OK(INIT(Allgatherv)(send, 1, types[0], mine[6], ones, apart, MPI_INT, WORLD));
  OK(INIT(Reduce_scatter)(send, mine[7], ones, MPI_INT, MPI_MAX, WORLD));
  OK(INIT(Reduce_scatter_block)(send, mine[8], 1, MPI_INT, MPI_MAX, WORLD));
  OK(INIT(Scan)(&scanned, mine[9], 1, MPI_INT, MPI_SUM, WORLD));
  OK(INIT(Exscan)(&scanned, mine[10], 1, MPI_INT, MPI_SUM, WORLD));
  OK(INIT(Alltoallv)(send, ones, apart, MPI_INT, mine[11], ones, apart, MPI_INT, WORLD));
  OK(INIT(Alltoallw)(send, ones, in_bytes, types, mine[12], ones, in_bytes, types, WORLD));
  OK(INIT(Barrier)(WORLD));
  OK(INIT(Neighbor_allgather)(send, 1, MPI_INT, mine[14], 1, MPI_INT, RING));
  OK(INIT(Neighbor_allgatherv)(send, 1, MPI_INT, mine[15], ones, apart, MPI_INT, RING));
  OK(INIT(Neighbor_alltoall)(send, 1, MPI_INT, mine[16], 1, MPI_INT, RING));
  OK(INIT(Neighbor_alltoallv)(send, ones, apart, MPI_INT, mine[17], ones, apart, MPI_INT, RING));
  OK(INIT(Neighbor_alltoallw)(send, ones, far, types, mine[18], ones, far, types, RING));
  for (int r = 0; r < most_ranks; ++r) OK(MPI_Type_free(&types[r])); /* MPI keeps what it still needs */
  for (int round = 0; round < 3; ++round) {
    for (int r = 0; r < most_ranks; ++r) send[r] = 1000 * round + 10 * me + r;
    for (int i = 0; i < made; ++i)
      for (int r = 0; r < most_ranks; ++r) mine[i][r] = -1;
    scanned = round + me;
    OK(MPI_Startall(made, some));
    OK(MPI_Allreduce(&me, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)); /* beside them */
    REQUIRE(total == ranks * (ranks - 1) / 2);
    OK(MPI_Waitall(made, some, MPI_STATUSES_IGNORE));
    for (int r = 0; r < ranks; ++r) {
      if (me == 0) REQUIRE(mine[0][r] == 1000 * round + 10 * r && mine[1][r] == mine[0][r]);
      REQUIRE(mine[5][r] == 1000 * round + 10 * r && mine[6][r] == mine[5][r]);
      REQUIRE(mine[11][r] == 1000 * round + 10 * r + me && mine[12][r] == mine[11][r]);
    }
    REQUIRE(mine[2][0] == 1000 * round + me && mine[3][0] == mine[2][0]);
    if (me == 0) REQUIRE(mine[4][0] == 1000 * round + 10 * (ranks - 1));
    REQUIRE(mine[7][0] == 1000 * round + 10 * (ranks - 1) + me && mine[8][0] == mine[7][0]);
    REQUIRE(mine[9][0] == (me + 1) * round + me * (me + 1) / 2);
    if (me > 0) REQUIRE(mine[10][0] == me * round + me * (me - 1) / 2);
    REQUIRE(mine[14][0] == 1000 * round + 10 * left() && mine[14][1] == 1000 * round + 10 * right);
    REQUIRE(mine[15][0] == mine[14][0] && mine[15][1] == mine[14][1]);
    if (ranks > 2) /* else both neighbours are the same, and MPIs differ in what goes where */
      for (int form = 16; form <= 18; ++form)
        REQUIRE(mine[form][0] == 1000 * round + 10 * left() + 1 && mine[form][1] == 1000 * round + 10 * right);
  }
  for (int i = 0; i < made; ++i) OK(MPI_Request_free(&some[i]));
  OK(MPI_Comm_free(&ring));
}

static void wrong_ones(void) {
  MPI_Comm own;
  MPI_Request request = MPI_REQUEST_NULL;
  int value = 1, sum_of_all = 0, class_of_it = 0;
  OK(MPI_Comm_dup(MPI_COMM_WORLD, &own));
  OK(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN));
  OK(MPI_Error_class(INIT(Bcast)(&value, 1, MPI_INT, ranks, own, MPI_INFO_NULL, &request), &class_of_it));
  REQUIRE(class_of_it == MPI_ERR_ROOT);
  OK(INIT(Allreduce)(&value, &sum_of_all, 1, MPI_INT, MPI_SUM, own, MPI_INFO_NULL, &request));
  OK(MPI_Start(&request));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  REQUIRE(sum_of_all == ranks);
  OK(MPI_Request_free(&request));
  OK(MPI_Comm_free(&own));
}

#if MPI_VERSION >= 4
static void large_ones(void) {
  MPI_Count counts[most_ranks];
  MPI_Aint places[most_ranks];
  MPI_Request some[4];
  int value = -1, out[most_ranks], in[most_ranks], gathered[most_ranks], total[3];
  for (int r = 0; r < most_ranks; ++r) {
    counts[r] = 1;
    places[r] = r;
  }
  OK(MPI_Bcast_init_c(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &some[0]));
  OK(MPI_Allreduce_init_c(MPI_IN_PLACE, total, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &some[1]));
  OK(MPI_Alltoallv_init_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                          &some[2]));
  OK(MPI_Allgatherv_init_c(&me, 1, MPI_INT, gathered, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &some[3]));
  for (int round = 0; round < 4; ++round) {
    value = me == 0 ? round : -1;
    total[0] = total[1] = total[2] = round;
    for (int r = 0; r < ranks; ++r) {
      out[r] = 100 * round + 10 * me + r;
      in[r] = gathered[r] = -1;
    }
    OK(MPI_Startall(4, some));
    OK(MPI_Waitall(4, some, MPI_STATUSES_IGNORE));
    REQUIRE(value == round && total[0] == ranks * round && total[2] == ranks * round);
    for (int r = 0; r < ranks; ++r) REQUIRE(in[r] == 100 * round + 10 * r + me && gathered[r] == r);
  }
  for (int i = 0; i < 4; ++i) OK(MPI_Request_free(&some[i]));
}
#else
static void large_ones(void) {}
#endif

/* "plainly": what MPICH 4.0's own can do, whose statuses are noise, MPI_Gather_init sends what stood there before, … */
int main(int argc, char** argv) {
  const int plainly = argc > 1;
  start(&argc, &argv);
  for (int again = 0; again < 2; ++again) { /* what is freed is made again */
    make();
    for (int round = 0; round < 24; ++round) each_way(plainly ? round / 2 * 8 + round % 2 : round);
    free_them();
  }
  out_of_step();
  if (plainly) {
    passed("persistent");
    MPI_Finalize();
    return 0;
  }
  the_others();
  wrong_ones();
  large_ones();
  passed("persistent");
  MPI_Finalize();
  return 0;
}

#else

int main(void) {
  puts("this MPI has no persistent collectives");
  return 77;
}

#endif
