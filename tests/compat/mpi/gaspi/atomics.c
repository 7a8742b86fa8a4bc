/* Counters, a lock and a ticket list, in memory of ours and in the user's. */
#include "gaspi_support.h"

enum { times = 200 };

static void count_on(gaspi_segment_id_t segment) {
  gaspi_atomic_value_t old, last = 0;
  for (int i = 0; i < times; ++i) {
    OK(gaspi_atomic_fetch_add(segment, 8, 0, 3, &old, GASPI_BLOCK));
    REQUIRE(old % 3 == 0 && (i == 0 || old > last));
    last = old;
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  OK(gaspi_atomic_fetch_add(segment, 8, 0, 0, &old, GASPI_BLOCK));
  REQUIRE(old == 3UL * times * rank_number);
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
}

/* A lock on the last rank guards a plain number there, which everybody reads and writes. */
static void lock_on(gaspi_segment_id_t segment) {
  const gaspi_rank_t where = (gaspi_rank_t)(rank_number - 1);
  for (int i = 0; i < 20; ++i) {
    gaspi_atomic_value_t old;
    do OK(gaspi_atomic_compare_swap(segment, 16, where, 0, my_rank + 1UL, &old, GASPI_BLOCK));
    while (old != 0);
    OK(gaspi_read(segment, 24, where, segment, 32, 8, 0, GASPI_BLOCK));
    OK(gaspi_wait(0, GASPI_BLOCK));
    unsigned long* const words = (unsigned long*)(void*)memory_of(segment);
    words[3] += 1;
    OK(gaspi_write(segment, 24, where, segment, 32, 8, 0, GASPI_BLOCK));
    OK(gaspi_wait(0, GASPI_BLOCK));
    OK(gaspi_atomic_compare_swap(segment, 16, where, my_rank + 1UL, 0, &old, GASPI_BLOCK));
    REQUIRE(old == my_rank + 1UL);
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  OK(gaspi_read(segment, 40, where, segment, 32, 8, 0, GASPI_BLOCK));
  OK(gaspi_wait(0, GASPI_BLOCK));
  REQUIRE(((unsigned long*)(void*)memory_of(segment))[5] == 20UL * rank_number);
}

int main(void) {
  start();
  gaspi_atomic_value_t most;
  OK(gaspi_atomic_max(&most));
  REQUIRE(most == 0xffffffffffffffffUL);
  static unsigned long users[64];
  OK(gaspi_segment_create(0, 512, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_use(1, users, sizeof users, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  count_on(0);
  count_on(1);
  lock_on(0);
  lock_on(1);
  finish("atomics");
  return 0;
}
