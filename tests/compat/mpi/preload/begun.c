/* Non-blocking collectives and messages in one list, by every completion call. */
#include "support.h"

enum { length = 1000, kinds = 4 };

static int value[length], sum[length], gathered[most_ranks], incoming, outgoing, exchanged[most_ranks],
    given[most_ranks];

/* Three collectives and a message to the right; rank r begins them all in the same order. */
static void begin(MPI_Request requests[kinds + 1], int round) {
  for (int i = 0; i < length; ++i) {
    value[i] = me == round % ranks ? round + i : -1;
    sum[i] = i + me;
  }
  for (int r = 0; r < ranks; ++r) given[r] = 100 * round + 10 * me + r;
  outgoing = 1000 * round + me;
  incoming = gathered[0] = -1;
  OK(MPI_Irecv(&incoming, 1, MPI_INT, (me + ranks - 1) % ranks, round, MPI_COMM_WORLD, &requests[1]));
  OK(MPI_Ibcast(value, length, MPI_INT, round % ranks, MPI_COMM_WORLD, &requests[0]));
  OK(MPI_Isend(&outgoing, 1, MPI_INT, (me + 1) % ranks, round, MPI_COMM_WORLD, &requests[3]));
  OK(MPI_Iallreduce(MPI_IN_PLACE, sum, length, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]));
  OK(MPI_Ialltoall(given, 1, MPI_INT, exchanged, 1, MPI_INT, MPI_COMM_WORLD, &requests[4]));
}

static void check(MPI_Request requests[kinds + 1], int round) {
  for (int i = 0; i <= kinds; ++i) REQUIRE(requests[i] == MPI_REQUEST_NULL);
  for (int i = 0; i < length; ++i) REQUIRE(value[i] == round + i && sum[i] == ranks * i + ranks * (ranks - 1) / 2);
  for (int r = 0; r < ranks; ++r) REQUIRE(exchanged[r] == 100 * round + 10 * r + me);
  REQUIRE(incoming == 1000 * round + (me + ranks - 1) % ranks);
}

static void each_way(int round) {
  MPI_Request requests[kinds + 1];
  MPI_Status statuses[kinds + 1], status;
  int flag = 0, index, indices[kinds + 1], count;
  begin(requests, round);
  switch (round % 9) {
    case 0:
      for (int i = kinds; i >= 0; --i) OK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
      break;
    case 1:
      OK(MPI_Waitall(kinds + 1, requests, MPI_STATUSES_IGNORE));
      break;
    case 2:
      OK(MPI_Waitall(kinds + 1, requests, statuses));
      REQUIRE(statuses[1].MPI_SOURCE == (me + ranks - 1) % ranks && statuses[1].MPI_TAG == round);
      break;
    case 3:
      for (int i = 0; i <= kinds; ++i) {
        OK(MPI_Waitany(kinds + 1, requests, &index, &status));
        REQUIRE(index >= 0 && index <= kinds && requests[index] == MPI_REQUEST_NULL);
      }
      OK(MPI_Waitany(kinds + 1, requests, &index, &status));
      REQUIRE(index == MPI_UNDEFINED);
      break;
    case 4:
      for (int done = 0; done <= kinds; done += count) {
        OK(MPI_Waitsome(kinds + 1, requests, &count, indices, statuses));
        REQUIRE(count > 0);
      }
      OK(MPI_Waitsome(kinds + 1, requests, &count, indices, statuses));
      REQUIRE(count == MPI_UNDEFINED);
      break;
    case 5:
      for (int i = 0; i <= kinds; ++i)
        for (flag = 0; !flag;) OK(MPI_Test(&requests[i], &flag, &status));
      break;
    case 6:
      while (!flag) OK(MPI_Testall(kinds + 1, requests, &flag, statuses));
      break;
    case 7:
      for (int i = 0; i <= kinds; ++i)
        for (flag = 0; !flag;) OK(MPI_Testany(kinds + 1, requests, &index, &flag, &status));
      break;
    default:
      for (int i = 0; i <= kinds; ++i) {
        for (flag = 0; !flag;) OK(MPI_Request_get_status(requests[i], &flag, &status));
        REQUIRE(requests[i] != MPI_REQUEST_NULL);
      }
      for (int done = 0; done <= kinds; done += count) OK(MPI_Testsome(kinds + 1, requests, &count, indices, statuses));
      break;
  }
  check(requests, round);
}

/* The last rank waits for a broadcast before it sends; who passes that on, is receiving from it. */
static void progress_in_messages(void) {
  MPI_Request request;
  int word = 7, pair = -1;
  const int last = ranks - 1;
  if (ranks < 2) return;
  for (int i = 0; i < length; ++i) value[i] = me == 0 ? i : -1;
  OK(MPI_Ibcast(value, length, MPI_INT, 0, MPI_COMM_WORLD, &request));
  if (me == last) {
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int r = 0; r < last; ++r) OK(MPI_Ssend(&word, 1, MPI_INT, r, 1, MPI_COMM_WORLD));
  } else {
    MPI_Status status;
    MPI_Message message;
    int received = -1;
    OK(MPI_Probe(last, 1, MPI_COMM_WORLD, &status));
    OK(MPI_Mprobe(last, 1, MPI_COMM_WORLD, &message, &status));
    OK(MPI_Mrecv(&received, 1, MPI_INT, &message, &status));
    REQUIRE(received == 7);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  for (int i = 0; i < length; ++i) REQUIRE(value[i] == i);
  OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
  OK(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % ranks, 2, &pair, 1, MPI_INT, (me + last) % ranks, 2, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE));
  REQUIRE(pair == (me + last) % ranks);
  if (me % 2 == 0 && me + 1 < ranks) OK(MPI_Send(&me, 1, MPI_INT, me + 1, 3, MPI_COMM_WORLD));
  if (me % 2 == 1) OK(MPI_Recv(&pair, 1, MPI_INT, me - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Those that the rounds do not have; all in flight at once. */
static void the_others(void) {
  enum { most = 20 };
  static int send[most_ranks], mine[most][most_ranks], ones[most_ranks], apart[most_ranks], in_bytes[most_ranks];
  MPI_Datatype types[most_ranks];
  MPI_Request requests[most];
  int begun = 0, scanned = me + 1;
  for (int r = 0; r < most_ranks; ++r) {
    send[r] = 10 * me + r;
    ones[r] = 1;
    apart[r] = r;
    in_bytes[r] = r * (int)sizeof(int);
    types[r] = MPI_INT;
  }
  OK(MPI_Igather(send, 1, MPI_INT, mine[0], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Igatherv(send, 1, MPI_INT, mine[1], ones, apart, MPI_INT, 0, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iscatter(send, 1, MPI_INT, mine[2], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iscatterv(send, ones, apart, MPI_INT, mine[3], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Ireduce(send, mine[4], 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iallgather(send, 1, MPI_INT, mine[5], 1, MPI_INT, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iallgatherv(send, 1, MPI_INT, mine[6], ones, apart, MPI_INT, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Ireduce_scatter(send, mine[7], ones, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Ireduce_scatter_block(send, mine[8], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iscan(&scanned, mine[9], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Iexscan(&scanned, mine[10], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Ialltoallv(send, ones, apart, MPI_INT, mine[11], ones, apart, MPI_INT, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Ialltoallw(send, ones, in_bytes, types, mine[12], ones, in_bytes, types, MPI_COMM_WORLD, &requests[begun++]));
  OK(MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE));
  for (int r = 0; r < ranks; ++r) {
    if (me == 0) REQUIRE(mine[0][r] == 10 * r && mine[1][r] == 10 * r);
    REQUIRE(mine[5][r] == 10 * r && mine[6][r] == 10 * r);
    REQUIRE(mine[11][r] == 10 * r + me && mine[12][r] == 10 * r + me);
  }
  REQUIRE(mine[2][0] == me && mine[3][0] == me);
  if (me == 0) REQUIRE(mine[4][0] == 10 * (ranks - 1));
  REQUIRE(mine[7][0] == 10 * (ranks - 1) + me && mine[8][0] == mine[7][0]);
  REQUIRE(mine[9][0] == (me + 1) * (me + 2) / 2);
  if (me > 0) REQUIRE(mine[10][0] == me * (me + 1) / 2);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int round = 0; round < 18; ++round) each_way(round);
  progress_in_messages();
  the_others();
  passed("begun");
  MPI_Finalize();
  return 0;
}
