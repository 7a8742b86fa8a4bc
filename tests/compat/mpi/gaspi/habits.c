/* What GASPI programs do that no other test here does: questions to oneself, groups of few and of many, as many
 * segments, notifications and elements as there may be, no group of all. */
#include <GASPI_Threads.h>
#include <string.h>

#include "gaspi_support.h"

static void everybody(void) { OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)); }

static void oneself(void) {
  OK(gaspi_proc_ping(my_rank, GASPI_BLOCK));
  OK(gaspi_group_commit(GASPI_GROUP_ALL, GASPI_BLOCK));
}

/* A group of each rank alone, of which all have the same number; one without the own rank, which then gets it. */
static void small_groups(void) {
  gaspi_group_t alone, later;
  const gaspi_rank_t other = (gaspi_rank_t)((my_rank + 1) % rank_number);
  OK(gaspi_group_create(&alone));
  OK(gaspi_group_add(alone, my_rank));
  OK(gaspi_group_commit(alone, GASPI_BLOCK));
  long mine = my_rank + 5, sum = 0;
  OK(gaspi_allreduce(&mine, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_LONG, alone, GASPI_BLOCK));
  REQUIRE(sum == mine);
  OK(gaspi_group_delete(alone));
  if (rank_number < 2) return;
  OK(gaspi_group_create(&later));
  OK(gaspi_group_add(later, other));
  REQUIRE(gaspi_group_commit(later, GASPI_BLOCK) != GASPI_SUCCESS);
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank)
    if (rank != other) OK(gaspi_group_add(later, rank));
  OK(gaspi_group_commit(later, GASPI_BLOCK));
  OK(gaspi_barrier(later, GASPI_BLOCK));
  OK(gaspi_group_delete(later));
}

/* Holes are filled first; 255 segments, and not one more. */
static void as_many_segments_as_there_are(void) {
  gaspi_segment_id_t id = 77;
  OK(gaspi_segment_alloc(0, 8, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_alloc(2, 8, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_avail_local(&id));
  REQUIRE(id == 1);
  OK(gaspi_segment_alloc(id, 8, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_avail_local(&id));
  REQUIRE(id == 3);
  for (int i = 3; i < 255; ++i) OK(gaspi_segment_alloc((gaspi_segment_id_t)i, 8, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_MANY_SEG, gaspi_segment_avail_local(&id));
  for (int i = 0; i < 255; ++i) {
    memset(memory_of((gaspi_segment_id_t)i), i, 8);
    OK(gaspi_segment_delete((gaspi_segment_id_t)i));
  }
  everybody();
}

static void sizes(void) {
  gaspi_size_t least = 9;
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_transfer_size_min(&least));
  REQUIRE(least == 0);
  GIVES(GASPI_ERR_INV_COMMSIZE, gaspi_read(0, 0, 0, 0, 0, least - 1, 0, GASPI_BLOCK));
  OK(gaspi_read(0, 0, 0, 0, 0, least, 0, GASPI_BLOCK));
  OK(gaspi_wait(0, GASPI_BLOCK));
  everybody();
}

/* More notifications than usual, the last one of them; a million numbers at once. */
static void large(void) {
  enum { elements = 1000000 };
  const gaspi_rank_t next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  double* const numbers = (double*)malloc(2 * elements * sizeof *numbers);
  OK(gaspi_notify(0, next, 131071, my_rank + 1U, 0, GASPI_BLOCK));
  REQUIRE(take(0, 131071) == (gaspi_notification_t)(my_rank == 0 ? rank_number : my_rank));
  for (int i = 0; i < elements; ++i) numbers[i] = i + my_rank;
  OK(gaspi_allreduce(numbers, numbers + elements, elements, GASPI_OP_MAX, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL,
                     GASPI_BLOCK));
  for (int i = 0; i < elements; ++i) REQUIRE(numbers[elements + i] == i + rank_number - 1);
  free(numbers);
}

/* To oneself: a thread receives. */
static void* receives(void* argument) {
  gaspi_rank_t from = 99;
  (void)argument;
  OK(gaspi_passive_receive(0, 32, &from, 8, GASPI_BLOCK));
  REQUIRE(from == my_rank);
  REQUIRE(memcmp(memory_of(0) + 32, "8 bytes", 8) == 0);
  gaspi_threads_sync();
  return NULL;
}
static void passive_to_oneself(void) {
  memcpy(memory_of(0), "8 bytes", 8);
  OK(gaspi_threads_init_user(2));
  OK(gaspi_threads_run(receives, NULL));
  OK(gaspi_passive_send(0, 0, my_rank, 8, GASPI_BLOCK));
  gaspi_threads_sync();
  OK(gaspi_threads_term());
}

/* Barriers of two groups in two threads, each cut short again and again. */
static gaspi_group_t of_thread[2];
static void meets(int thread) {
  for (int i = 0; i < 20; ++i)
    for (gaspi_return_t told; (told = gaspi_barrier(of_thread[thread], 1)) != GASPI_SUCCESS;)
      REQUIRE(told == GASPI_TIMEOUT);
}
static void* meets_too(void* argument) {
  (void)argument;
  meets(1);
  gaspi_threads_sync();
  return NULL;
}
static void groups_in_threads(void) {
  for (int i = 0; i < 2; ++i) {
    OK(gaspi_group_create(&of_thread[i]));
    for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) OK(gaspi_group_add(of_thread[i], rank));
    OK(gaspi_group_commit(of_thread[i], GASPI_BLOCK));
  }
  OK(gaspi_threads_init_user(2));
  OK(gaspi_threads_run(meets_too, NULL));
  meets(0);
  gaspi_threads_sync();
  OK(gaspi_threads_term());
}

static void as_many_groups_as_there_are(void) {
  enum { number = 254 }; /* beside GASPI_GROUP_ALL */
  static gaspi_group_t all[number];
  for (int i = 0; i < number; ++i) {
    OK(gaspi_group_create(&all[i]));
    for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) OK(gaspi_group_add(all[i], rank));
    OK(gaspi_group_commit(all[i], GASPI_BLOCK));
  }
  OK(gaspi_barrier(all[number - 1], GASPI_BLOCK));
  for (int i = 0; i < number; ++i) OK(gaspi_group_delete(all[i]));
}

int main(void) {
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  const gaspi_config_t usual = config;
  config.notification_num = 0;
  config.build_infrastructure = GASPI_TOPOLOGY_NONE;
  config.group_max = 255;
  OK(gaspi_config_set(config));
  start();
  gaspi_number_t number = 9;
  OK(gaspi_notification_num(&number));
  REQUIRE(number == 0);
  oneself();
  small_groups();
  as_many_segments_as_there_are();
  as_many_groups_as_there_are();
  everybody();
  OK(gaspi_proc_term(GASPI_BLOCK));

  config = usual;
  config.notification_num = 131072;
  config.allreduce_elem_max = 1000000;
  config.allreduce_buf_size = 8000000;
  OK(gaspi_config_set(config));
  start();
  sizes();
  large();
  passive_to_oneself();
  groups_in_threads();
  finish("habits");
  return 0;
}
