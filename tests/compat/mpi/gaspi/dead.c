/* Rank 0 ends the last rank; the others find out by the state vector, a ping, and a barrier that does not wait for
 * ever. They leave by gaspi_proc_term, or with the argument "early" without it. With "late" the last rank makes no call
 * at first, which another node's notices: its time is up. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <unistd.h>

#include "gaspi_support.h"

/* A rank of another node that makes no call does not answer, which says nothing about its health. */
static void ping_in_time(gaspi_rank_t last, int is_near) {
  gaspi_state_t health[64];
  gaspi_time_t began, ended;
  OK(gaspi_time_get(&began));
  GIVES(is_near ? GASPI_SUCCESS : GASPI_TIMEOUT, gaspi_proc_ping(last, 20));
  OK(gaspi_time_get(&ended));
  REQUIRE(ended - began < 1200);
  OK(gaspi_state_vec_get(health));
  REQUIRE(health[last] == GASPI_STATE_HEALTHY);
}

/* The same call again goes on with the order that the rank has not heard yet. */
static void end_a_late_one(gaspi_rank_t last, int is_near) {
  gaspi_return_t told;
  if (!is_near) GIVES(GASPI_TIMEOUT, gaspi_proc_kill(last, 20));
  while ((told = gaspi_proc_kill(last, 20)) == GASPI_TIMEOUT) usleep(10000);
  REQUIRE(told == GASPI_SUCCESS);
}

int main(int count, char** words) {
  const int is_late = count > 1 && strcmp(words[1], "late") == 0;
  gaspi_rank_t local_number;
  start();
  OK(gaspi_proc_local_num(&local_number));
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  const gaspi_rank_t last = (gaspi_rank_t)(rank_number - 1);
  gaspi_state_t health[64];
  if (is_late) {
    const int is_near = local_number == rank_number;
    if (my_rank == last) usleep(5000000); /* far longer than the others need, however busy the machine */
    if (my_rank == 1) {
      ping_in_time(last, is_near);
      OK(gaspi_notify(0, 0, 1, 1, 0, GASPI_BLOCK));
    }
    if (my_rank == 0) {
      REQUIRE(take(0, 1) == 1);
      end_a_late_one(last, is_near);
    }
  }
  if (my_rank == last) take(0, 0); /* waits until it is ended */
  if (my_rank == 0 && !is_late) OK(gaspi_proc_kill(last, 10000));
  gaspi_return_t answered;
  while ((answered = gaspi_proc_ping(last, 2000)) == GASPI_SUCCESS) usleep(10000);
  /* Nobody sees the death of a rank that is alone on its node: who has waited long enough takes it for dead. */
  if (answered == GASPI_TIMEOUT) gaspi_proc_kill(last, GASPI_TEST);
  OK(gaspi_state_vec_get(health));
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank)
    REQUIRE(health[rank] == (rank == last ? GASPI_STATE_CORRUPT : GASPI_STATE_HEALTHY));
  if (local_number == 1) { /* no request goes there any more */
    GIVES(GASPI_ERROR, gaspi_write(0, 0, last, 0, 0, 8, 1, GASPI_BLOCK));
    GIVES(GASPI_ERROR, gaspi_read(0, 0, last, 0, 0, 8, 1, GASPI_BLOCK));
    GIVES(GASPI_ERROR, gaspi_notify(0, last, 1, 1, 1, GASPI_BLOCK));
    gaspi_atomic_value_t before;
    GIVES(GASPI_ERROR, gaspi_atomic_fetch_add(0, 0, last, 1, &before, GASPI_BLOCK));
  }
  GIVES(GASPI_ERROR, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  /* Nor does what makes a segment or a group with it wait. */
  gaspi_group_t with_it;
  GIVES(GASPI_ERROR, gaspi_segment_create(1, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_group_create(&with_it));
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) OK(gaspi_group_add(with_it, rank));
  GIVES(GASPI_ERROR, gaspi_group_commit(with_it, GASPI_BLOCK));

  /* Those that are left make a group, and go on. */
  gaspi_group_t group;
  OK(gaspi_group_create(&group));
  for (gaspi_rank_t rank = 0; rank < last; ++rank) OK(gaspi_group_add(group, rank));
  OK(gaspi_group_commit(group, GASPI_BLOCK));
  long one = 1, sum = 0;
  OK(gaspi_allreduce(&one, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_LONG, group, GASPI_BLOCK));
  REQUIRE(sum == last);
  OK(gaspi_barrier(group, GASPI_BLOCK));
  if (my_rank == 0) printf("dead: %d ranks passed\n", (int)last);
  if (count == 1) OK(gaspi_proc_term(GASPI_BLOCK));
  return 0; /* MPI, which cannot be ended without a rank, is left as it is */
}
