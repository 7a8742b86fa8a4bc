/* Groups, their barriers and reductions: all types and operations, and a user's own. */
#include <string.h>

#include "gaspi_support.h"

static gaspi_group_t group_of(int (*has)(int rank)) {
  gaspi_group_t group;
  OK(gaspi_group_create(&group));
  for (int rank = rank_number - 1; rank >= 0; --rank)
    if (has(rank)) OK(gaspi_group_add(group, (gaspi_rank_t)rank));
  return group;
}

static int is_like_me(int rank) { return rank % 2 == my_rank % 2; }
static int is_first_or_last(int rank) { return rank == 0 || rank == rank_number - 1; }

/* For each type: the value of a rank, and what a loop over the ranks makes of them. Some are less than 0, or, of types
   without a sign, greater than all that has one. */
#define VALUE_OF(type, rank, i) ((type)(((rank) * 7 + (i) * 3) % 11) - (type)5)
#define CHECK_TYPE(type, name, group, members, count)                                    \
  do {                                                                                   \
    type in[50], out[50];                                                                \
    for (int op = 0; op < 3; ++op) {                                                     \
      for (int i = 0; i < 50; ++i) in[i] = VALUE_OF(type, my_rank, i), out[i] = 0;       \
      OK(gaspi_allreduce(in, out, 50, (gaspi_operation_t)op, name, group, GASPI_BLOCK)); \
      for (int i = 0; i < 50; ++i) {                                                     \
        type expected = VALUE_OF(type, (int)members[0], i);                              \
        for (unsigned m = 1; m < count; ++m) {                                           \
          const type other = VALUE_OF(type, (int)members[m], i);                         \
          if (op == GASPI_OP_MIN) expected = other < expected ? other : expected;        \
          if (op == GASPI_OP_MAX) expected = other > expected ? other : expected;        \
          if (op == GASPI_OP_SUM) expected = (type)(expected + other);                   \
        }                                                                                \
        REQUIRE(out[i] == expected);                                                     \
      }                                                                                  \
    }                                                                                    \
  } while (0)

static void reduce_in(gaspi_group_t group) {
  gaspi_number_t count;
  gaspi_rank_t members[64];
  OK(gaspi_group_size(group, &count));
  OK(gaspi_group_ranks(group, members));
  for (unsigned m = 1; m < count; ++m) REQUIRE(members[m] > members[m - 1]);
  CHECK_TYPE(int, GASPI_TYPE_INT, group, members, count);
  CHECK_TYPE(unsigned, GASPI_TYPE_UINT, group, members, count);
  CHECK_TYPE(float, GASPI_TYPE_FLOAT, group, members, count);
  CHECK_TYPE(double, GASPI_TYPE_DOUBLE, group, members, count);
  CHECK_TYPE(long, GASPI_TYPE_LONG, group, members, count);
  CHECK_TYPE(unsigned long, GASPI_TYPE_ULONG, group, members, count);
}

/* The smallest value and who has it; `state` counts the elements. */
struct found {
  double value;
  long rank;
};

static gaspi_return_t smaller_of(gaspi_pointer_t one, gaspi_pointer_t two, gaspi_pointer_t result,
                                 gaspi_reduce_state_t state, gaspi_number_t num, gaspi_size_t element_size,
                                 gaspi_timeout_t timeout_ms) {
  (void)timeout_ms;
  if (element_size != sizeof(struct found)) return GASPI_ERROR;
  const struct found *a = (const struct found*)one, *b = (const struct found*)two;
  struct found* const r = (struct found*)result;
  for (gaspi_number_t i = 0; i < num; ++i) r[i] = b[i].value < a[i].value ? b[i] : a[i];
  *(unsigned*)state += num;
  return GASPI_SUCCESS;
}

static void users_function(void) {
  struct found in[20], out[20];
  unsigned elements = 0;
  for (int i = 0; i < 20; ++i) {
    in[i].value = (my_rank * 5 + i) % rank_number + 0.5;
    in[i].rank = my_rank;
  }
  OK(gaspi_allreduce_user(in, out, 20, sizeof in[0], smaller_of, &elements, GASPI_GROUP_ALL, GASPI_BLOCK));
  for (int i = 0; i < 20; ++i) {
    double least = 1e9;
    for (int rank = 0; rank < rank_number; ++rank)
      if ((rank * 5 + i) % rank_number + 0.5 < least) least = (rank * 5 + i) % rank_number + 0.5;
    REQUIRE(out[i].value == least && (out[i].rank * 5 + i) % rank_number + 0.5 == least);
  }
}

int main(void) {
  start();
  gaspi_number_t number, most;
  OK(gaspi_group_max(&most));
  OK(gaspi_group_num(&number));
  REQUIRE(most == 32 && number == 1);
  OK(gaspi_group_size(GASPI_GROUP_ALL, &number));
  REQUIRE(number == rank_number);
  reduce_in(GASPI_GROUP_ALL);
  users_function();

  const gaspi_group_t mine = group_of(is_like_me);
  OK(gaspi_group_commit(mine, GASPI_BLOCK));
  OK(gaspi_group_commit(mine, GASPI_BLOCK)); /* it is */
  OK(gaspi_group_num(&number));
  REQUIRE(number == 2);
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_add(mine, (gaspi_rank_t)((my_rank + 1) % rank_number)));
  for (int round = 0; round < 5; ++round) {
    reduce_in(mine);
    OK(gaspi_barrier(mine, GASPI_BLOCK));
    if (my_rank % 2 == 0) reduce_in(mine); /* the two halves need not keep step */
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

  if (is_first_or_last(my_rank)) {
    const gaspi_group_t ends = group_of(is_first_or_last);
    OK(gaspi_group_commit(ends, GASPI_BLOCK));
    reduce_in(ends);
    /* A segment of these two alone. */
    OK(gaspi_segment_create(4, 256, ends, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    const gaspi_rank_t other = my_rank == 0 ? (gaspi_rank_t)(rank_number - 1) : 0;
    OK(gaspi_notify(4, other, 5, 6, 0, GASPI_BLOCK));
    REQUIRE(take(4, 5) == 6);
    OK(gaspi_barrier(ends, GASPI_BLOCK));
    OK(gaspi_segment_delete(4));
    OK(gaspi_group_delete(ends));
  }
  reduce_in(GASPI_GROUP_ALL);
  OK(gaspi_group_delete(mine));
  OK(gaspi_group_num(&number));
  REQUIRE(number == 1);
  finish("groups");
  return 0;
}
