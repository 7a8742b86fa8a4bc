/* A GASPI program, in C: a ring of ranks, each notifies the next. */
#include <GASPI.h>
#include <stdio.h>

int main(void) {
  gaspi_rank_t rank = 0, ranks = 0;
  gaspi_notification_id_t id = 0;
  gaspi_notification_t value = 0;
  if (gaspi_proc_init(GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  gaspi_proc_rank(&rank);
  gaspi_proc_num(&ranks);
  if (gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED) != GASPI_SUCCESS) return 1;
  const gaspi_rank_t next = (gaspi_rank_t)((rank + 1) % ranks);
  if (gaspi_write_notify(0, 0, next, 0, 32, 32, 5, rank + 1U, 0, GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  if (gaspi_notify_waitsome(0, 5, 1, &id, GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  gaspi_notify_reset(0, id, &value);
  if (value != (rank + ranks - 1U) % ranks + 1U) return 1;
  if (gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK) != GASPI_SUCCESS) return 1;
  if (rank == 0) printf("gaspi: %d ranks have been notified\n", (int)ranks);
  return gaspi_proc_term(GASPI_BLOCK) == GASPI_SUCCESS ? 0 : 1;
}
