/* Rank 0 ends the last rank; the others find out by the state vector, a ping, and a barrier that does not wait for
 * ever. They leave by gaspi_proc_term, or with an argument without it. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "gaspi_support.h"

int main(int count, char** words) {
  (void)words;
  start();
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  const gaspi_rank_t last = (gaspi_rank_t)(rank_number - 1);
  gaspi_state_t health[64];
  if (my_rank == last) take(0, 0); /* waits until it is ended */
  if (my_rank == 0) OK(gaspi_proc_kill(last, 10000));
  while (gaspi_proc_ping(last, 2000) == GASPI_SUCCESS) usleep(10000);
  OK(gaspi_state_vec_get(health));
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank)
    REQUIRE(health[rank] == (rank == last ? GASPI_STATE_CORRUPT : GASPI_STATE_HEALTHY));
  GIVES(GASPI_ERROR, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

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
