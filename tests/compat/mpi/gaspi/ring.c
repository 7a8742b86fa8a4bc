/* Numbers go round a ring of ranks, written and notified, and each rank adds its own. */
#include "gaspi_support.h"

int main(void) {
  start();
  const gaspi_rank_t next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  const gaspi_rank_t before = (gaspi_rank_t)((my_rank + rank_number - 1) % rank_number);
  const int words = 1000;
  const gaspi_size_t half = (gaspi_size_t)words * sizeof(long);
  OK(gaspi_segment_create(0, 2 * half, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  long* const mine = (long*)(void*)memory_of(0); /* the first half is sent, the second half comes in */
  long* const come = mine + words;
  for (int i = 0; i < words; ++i) mine[i] = (my_rank + 1) * (i + 1L);

  long sum = (long)my_rank + 1;
  for (int step = 1; step < rank_number; ++step) {
    OK(gaspi_write_notify(0, 0, next, 0, half, half, 5, (gaspi_notification_t)step, 0, GASPI_BLOCK));
    REQUIRE(take(0, 5) == (gaspi_notification_t)step);
    const long from = ((my_rank + rank_number - step) % rank_number) + 1;
    for (int i = 0; i < words; ++i) REQUIRE(come[i] == from * (i + 1));
    sum += come[0];
    OK(gaspi_wait(0, GASPI_BLOCK));
    for (int i = 0; i < words; ++i) mine[i] = come[i];
    OK(gaspi_notify(0, before, 6, 1, 0, GASPI_BLOCK)); /* write again */
    REQUIRE(take(0, 6) == 1);
  }
  REQUIRE(sum == rank_number * (rank_number + 1L) / 2);
  OK(gaspi_segment_delete(0));
  finish("ring");
  return 0;
}
