/* Several threads of a rank write, notify and wait at once. */
#include <GASPI_Threads.h>
#include <string.h>

#include "gaspi_support.h"

enum { thread_number = 4, rounds = 100 };

static gaspi_rank_t next;

static void* work(void* argument) {
  (void)argument;
  gaspi_int tid = -1, again = -2, total = 0;
  OK(gaspi_threads_register(&tid));
  OK(gaspi_threads_get_tid(&again));
  OK(gaspi_threads_get_total(&total));
  REQUIRE(tid == again && tid >= 0 && tid < thread_number && total == thread_number);
  const gaspi_offset_t at = (gaspi_offset_t)tid * 1024;
  for (int round = 1; round <= rounds; ++round) {
    memset(memory_of(0) + at, round, 512);
    OK(gaspi_write_notify(0, at, next, 0, at + 512, 512, (gaspi_notification_id_t)tid, (gaspi_notification_t)round,
                          (gaspi_queue_id_t)(tid % 2), GASPI_BLOCK));
    REQUIRE(take(0, (gaspi_notification_id_t)tid) == (gaspi_notification_t)round);
    for (int i = 0; i < 512; ++i) REQUIRE(memory_of(0)[at + 512 + (gaspi_offset_t)i] == round);
    OK(gaspi_wait((gaspi_queue_id_t)(tid % 2), GASPI_BLOCK));
    OK(gaspi_threads_sync_all(GASPI_GROUP_ALL, GASPI_BLOCK));
  }
  gaspi_threads_sync();
  return NULL;
}

int main(void) {
  start();
  next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  gaspi_int cores = 0, tid;
  GIVES(GASPI_ERROR, gaspi_threads_get_tid(&tid));
  GIVES(GASPI_ERROR, gaspi_threads_run(work, NULL));
  OK(gaspi_threads_get_num_cores(&cores));
  REQUIRE(cores > 0);
  gaspi_int number = 0;
  OK(gaspi_threads_init(&number));
  REQUIRE(number == cores);
  GIVES(GASPI_ERROR, gaspi_threads_init_user(2));
  OK(gaspi_threads_term());
  OK(gaspi_threads_init_user(thread_number));
  OK(gaspi_segment_create(0, 1024 * thread_number, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  for (int i = 1; i < thread_number; ++i) OK(gaspi_threads_run(work, NULL));
  work(NULL);
  OK(gaspi_threads_term());
  finish("threads");
  return 0;
}
