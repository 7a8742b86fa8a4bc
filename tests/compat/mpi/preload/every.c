/* Every blocking collective, checked by what it must give. every.cpp is the same program in C++. */
#include "support.h"

static int counts[most_ranks], places[most_ranks]; /* rank r has r + 1 elements */
static int total;

static void rooted(int root) {
  int values[3] = {0, 0, 0}, gathered[2 * most_ranks], mine[2], sum[2];
  int uneven[36], own[most_ranks];
  if (me == root)
    for (int i = 0; i < 3; ++i) values[i] = 100 * root + i;
  OK(MPI_Bcast(values, 3, MPI_INT, root, MPI_COMM_WORLD));
  for (int i = 0; i < 3; ++i) REQUIRE(values[i] == 100 * root + i);

  mine[0] = me;
  mine[1] = -me;
  OK(MPI_Gather(mine, 2, MPI_INT, gathered, 2, MPI_INT, root, MPI_COMM_WORLD));
  if (me == root)
    for (int r = 0; r < ranks; ++r) REQUIRE(gathered[2 * r] == r && gathered[2 * r + 1] == -r);
  mine[0] = mine[1] = 0;
  OK(MPI_Scatter(gathered, 2, MPI_INT, mine, 2, MPI_INT, root, MPI_COMM_WORLD));
  REQUIRE(mine[0] == me && mine[1] == -me);

  for (int i = 0; i <= me; ++i) own[i] = 10 * me + i;
  OK(MPI_Gatherv(own, me + 1, MPI_INT, uneven, counts, places, MPI_INT, root, MPI_COMM_WORLD));
  if (me == root)
    for (int r = 0; r < ranks; ++r)
      for (int i = 0; i <= r; ++i) REQUIRE(uneven[places[r] + i] == 10 * r + i);
  for (int i = 0; i <= me; ++i) own[i] = 0;
  OK(MPI_Scatterv(uneven, counts, places, MPI_INT, own, me + 1, MPI_INT, root, MPI_COMM_WORLD));
  for (int i = 0; i <= me; ++i) REQUIRE(own[i] == 10 * me + i);

  mine[0] = me + 1;
  mine[1] = 2;
  sum[0] = me + 1; /* in place at the root */
  sum[1] = 2;
  OK(MPI_Reduce(me == root ? MPI_IN_PLACE : mine, sum, 2, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
  if (me == root) REQUIRE(sum[0] == total && sum[1] == 2 * ranks);
}

static void for_all(void) {
  double gathered[2 * most_ranks], mine[2];
  int uneven[36], own[most_ranks], sums[most_ranks], parts[36], part[most_ranks], one;
  mine[0] = me + 0.5;
  mine[1] = -me;
  OK(MPI_Allgather(mine, 2, MPI_DOUBLE, gathered, 2, MPI_DOUBLE, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(gathered[2 * r] == r + 0.5 && gathered[2 * r + 1] == -r);
  for (int i = 0; i <= me; ++i) own[i] = 10 * me + i;
  OK(MPI_Allgatherv(own, me + 1, MPI_INT, uneven, counts, places, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i <= r; ++i) REQUIRE(uneven[places[r] + i] == 10 * r + i);

  for (int i = 0; i < most_ranks; ++i) sums[i] = i * (me + 1);
  OK(MPI_Allreduce(MPI_IN_PLACE, sums, most_ranks, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < most_ranks; ++i) REQUIRE(sums[i] == i * total);
  for (int i = 0; i < total; ++i) parts[i] = i + me;
  OK(MPI_Reduce_scatter(parts, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i <= me; ++i) REQUIRE(part[i] == ranks * (places[me] + i) + total - ranks);
  OK(MPI_Reduce_scatter_block(parts, part, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  REQUIRE(part[0] == me + ranks - 1);

  one = me + 1;
  OK(MPI_Scan(&one, part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  REQUIRE(part[0] == (me + 1) * (me + 2) / 2);
  OK(MPI_Exscan(&one, part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (me > 0) REQUIRE(part[0] == me * (me + 1) / 2);
  OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void each_to_each(void) {
  int send[most_ranks], receive[most_ranks], ones[most_ranks], apart[most_ranks], in_bytes[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int r = 0; r < ranks; ++r) {
    send[r] = 10 * me + r;
    ones[r] = 1;
    apart[r] = ranks - 1 - r;
    in_bytes[r] = r * (int)sizeof(int);
    types[r] = MPI_INT;
  }
  OK(MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(receive[r] == 10 * r + me);
  OK(MPI_Alltoallv(send, ones, apart, MPI_INT, receive, ones, apart, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(receive[ranks - 1 - r] == 10 * r + ranks - 1 - me);
  OK(MPI_Alltoallw(send, ones, in_bytes, types, receive, ones, in_bytes, types, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(receive[r] == 10 * r + me);
  for (int r = 0; r < ranks; ++r) receive[r] = send[r];
  OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, 1, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < ranks; ++r) REQUIRE(receive[r] == 10 * r + me);
}

/* On a ring: the left neighbour first, then the right one. */
static void neighbours(void) {
  int periodic = 1, send[2], receive[2], ones[2] = {1, 1}, apart[2] = {0, 1};
  const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
  MPI_Aint in_bytes[2] = {0, sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Comm ring;
  send[0] = me;
  send[1] = 10 + me;
  OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
  OK(MPI_Neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT, ring));
  REQUIRE(receive[0] == left && receive[1] == right);
  OK(MPI_Neighbor_allgatherv(send, 1, MPI_INT, receive, ones, apart, MPI_INT, ring));
  REQUIRE(receive[0] == left && receive[1] == right);
  if (ranks > 2) { /* else both neighbours are the same, and MPIs differ in what goes where */
    OK(MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, ring));
    REQUIRE(receive[0] == 10 + left && receive[1] == right);
    OK(MPI_Neighbor_alltoallv(send, ones, apart, MPI_INT, receive, ones, apart, MPI_INT, ring));
    REQUIRE(receive[0] == 10 + left && receive[1] == right);
    OK(MPI_Neighbor_alltoallw(send, ones, in_bytes, types, receive, ones, in_bytes, types, ring));
    REQUIRE(receive[0] == 10 + left && receive[1] == right);
  }
  OK(MPI_Comm_free(&ring));
}

/* 2 x 2 matrices, whose product depends on the order. */
static void multiply(void* in, void* in_out, int* count, MPI_Datatype* type) {
  int *a = (int*)in, *b = (int*)in_out;
  (void)type;
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const int b0 = b[0], b1 = b[1];
    b[0] = a[0] * b0 + a[1] * b[2];
    b[1] = a[0] * b1 + a[1] * b[3];
    b[2] = a[2] * b0 + a[3] * b[2];
    b[3] = a[2] * b1 + a[3] * b[3];
  }
}

static void own_types_and_operations(void) {
  int matrix[4] = {1, 1, 0, 1}, product[4] = {0, 0, 0, 0}, expected[4] = {1, 0, 0, 1}, columns[8];
  MPI_Datatype matrices, every_second;
  MPI_Op times;
  OK(MPI_Type_contiguous(4, MPI_INT, &matrices));
  OK(MPI_Type_commit(&matrices));
  OK(MPI_Op_create(multiply, 0, &times));
  matrix[2] = me;
  OK(MPI_Allreduce(matrix, product, 1, matrices, times, MPI_COMM_WORLD));
  for (int r = ranks - 1, one = 1; r >= 0; --r) {
    int factor[4] = {1, 1, 0, 1};
    factor[2] = r;
    multiply(factor, expected, &one, &matrices);
  }
  for (int i = 0; i < 4; ++i) REQUIRE(product[i] == expected[i]);
  OK(MPI_Op_free(&times));
  OK(MPI_Type_free(&matrices));

  OK(MPI_Type_vector(4, 1, 2, MPI_INT, &every_second));
  OK(MPI_Type_commit(&every_second));
  for (int i = 0; i < 8; ++i) columns[i] = me == 0 ? i : -1;
  OK(MPI_Bcast(columns, 1, every_second, 0, MPI_COMM_WORLD));
  for (int i = 0; i < 8; ++i) REQUIRE(columns[i] == (i % 2 == 0 || me == 0 ? i : -1));
  OK(MPI_Type_free(&every_second));
}

static void communicators(void) {
  MPI_Comm half;
  int members, sum = 1;
  OK(MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half));
  OK(MPI_Comm_size(half, &members));
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, half));
  REQUIRE(sum == members);
  OK(MPI_Comm_free(&half));
  sum = 7;
  OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
  REQUIRE(sum == 7);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = r + 1;
    places[r] = total;
    total += r + 1;
  }
  for (int root = 0; root < ranks; ++root) rooted(root);
  for_all();
  each_to_each();
  neighbours();
  own_types_and_operations();
  communicators();
  passed("every");
  MPI_Finalize();
  return 0;
}
