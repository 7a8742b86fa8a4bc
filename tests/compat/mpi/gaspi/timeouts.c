/* Waits end when their time is up, and the same call goes on. */

#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>

#include "late_support.h"

static void* wait_for_the_queue(void* nothing) {
  OK(gaspi_wait(0, GASPI_BLOCK));
  return nothing;
}

static void write_to_one_that_computes(void) {
  gaspi_atomic_value_t old = 9;
  unsigned char* const bytes = memory_of(0);
  if (rank_number < 2) return;
  for (int i = 0; i < 256; ++i) bytes[i] = (unsigned char)(i + 1);
  for (int way = 0; way < 3; ++way) {
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    if (my_rank == 1) usleep(1500000);
    if (my_rank == 0 && way == 0) {
      OK(gaspi_write(0, 0, 1, 0, 512, 256, 0, GASPI_BLOCK));
      IN_TIME(gaspi_wait(0, 20));
      OK(gaspi_notify(0, 1, 80, 1, 0, GASPI_BLOCK));
    }
    if (my_rank == 0 && way == 1) {
      IN_TIME(gaspi_write_notify(0, 0, 1, 0, 512, 256, 80, 1, 0, 20));
      OK(gaspi_wait(0, GASPI_BLOCK));
    }
    if (my_rank == 0 && way == 2) {
      IN_TIME(gaspi_atomic_fetch_add(0, 768, 1, 5, &old, 20));
      REQUIRE(old == 0);
      IN_TIME(gaspi_atomic_compare_swap(0, 768, 1, 5, 6, &old, 20));
      REQUIRE(old == 5);
      OK(gaspi_notify(0, 1, 80, 1, 0, GASPI_BLOCK));
    }
    if (my_rank == 1) {
      REQUIRE(take(0, 80) == 1);
      for (int i = 0; i < 256; ++i) REQUIRE(bytes[512 + i] == (unsigned char)(i + 1));
      memset(bytes + 512, 0, way == 0 ? 256 : 0);
    }
  }
  /* Another thread waits for the same queue, without a limit. */
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (my_rank == 1) usleep(1500000);
  if (my_rank == 0) {
    pthread_t other;
    OK(gaspi_write(0, 0, 1, 0, 512, 256, 0, GASPI_BLOCK));
    REQUIRE(pthread_create(&other, NULL, wait_for_the_queue, NULL) == 0);
    usleep(50000);
    IN_TIME(gaspi_write(0, 0, 1, 0, 512, 256, 0, 20));
    IN_TIME(gaspi_wait(0, 20));
    REQUIRE(pthread_join(other, NULL) == 0);
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
}

int main(void) {
  start();
  OK(gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  gaspi_notification_id_t id;
  gaspi_rank_t from;

  gaspi_time_t began = now();
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(0, 0, 100, &id, GASPI_TEST));
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(0, 0, 100, &id, 60));
  REQUIRE(now() - began >= 59);
  began = now();
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &from, 8, 60));
  REQUIRE(now() - began >= 59);
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

  /* Rank 0 is late; who waits for it sees it. */
  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  } else {
    REPEAT(gaspi_barrier(GASPI_GROUP_ALL, 20));
  }

  double one = my_rank + 1.0, sum = 0;
  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(gaspi_allreduce(&one, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
  } else {
    GIVES(GASPI_TIMEOUT, gaspi_allreduce(&one, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_TEST));
    GIVES(GASPI_ERR_ACTIVE_COLL, gaspi_barrier(GASPI_GROUP_ALL, GASPI_TEST)); /* that one first */
    REPEAT(gaspi_allreduce(&one, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_TEST));
  }
  REQUIRE(sum == rank_number * (rank_number + 1) / 2.0);

  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(gaspi_segment_create(1, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  } else {
    REPEAT(gaspi_segment_create(1, 64, GASPI_GROUP_ALL, 20, GASPI_MEM_INITIALIZED));
  }
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_create(1, 64, GASPI_GROUP_ALL, 20, GASPI_MEM_INITIALIZED));
  static double users[8];
  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(gaspi_segment_use(2, users, sizeof users, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  } else {
    REPEAT(gaspi_segment_use(2, users, sizeof users, GASPI_GROUP_ALL, GASPI_TEST, 0));
  }

  gaspi_group_t group;
  OK(gaspi_group_create(&group));
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) OK(gaspi_group_add(group, rank));
  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(gaspi_group_commit(group, GASPI_BLOCK));
  } else {
    REPEAT(gaspi_group_commit(group, 20));
  }
  OK(gaspi_barrier(group, GASPI_BLOCK));

  write_to_one_that_computes();

  /* A notification that comes while somebody waits with a limit. */
  if (my_rank == 0) {
    usleep(100000);
    for (gaspi_rank_t rank = 1; rank < rank_number; ++rank) OK(gaspi_notify(0, rank, 70, 1, 0, GASPI_BLOCK));
  } else {
    OK(gaspi_notify_waitsome(0, 0, 100, &id, 60000));
    REQUIRE(id == 70);
  }
  finish("timeouts");
  return 0;
}
