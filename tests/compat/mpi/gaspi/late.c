/* A partner is late: reductions by a function of the user's, passive messages, threads that meet, lists and reads with
   a notification come back when their time is up, and the same call, made again, does the rest. */
#define _DEFAULT_SOURCE
#include <GASPI_Threads.h>
#include <string.h>

#include "late_support.h"

/* The function is told the limit of the call that it works for. */
static gaspi_return_t sum_of(gaspi_pointer_t one, gaspi_pointer_t two, gaspi_pointer_t result,
                             gaspi_reduce_state_t state, gaspi_number_t num, gaspi_size_t element_size,
                             gaspi_timeout_t timeout_ms) {
  if (element_size != sizeof(long) || timeout_ms != *(const gaspi_timeout_t*)state) return GASPI_ERROR;
  for (gaspi_number_t i = 0; i < num; ++i) ((long*)result)[i] = ((const long*)one)[i] + ((const long*)two)[i];
  return GASPI_SUCCESS;
}

static gaspi_return_t sum_within(const long* in, long* out, gaspi_timeout_t limit) {
  return gaspi_allreduce_user((gaspi_pointer_t)in, out, 2, sizeof(long), sum_of, &limit, GASPI_GROUP_ALL, limit);
}

static void users_function(void) {
  const long in[2] = {my_rank + 1, -10 * my_rank};
  long out[2] = {0, 0};
  const long all = (long)rank_number * (rank_number - 1) / 2;
  if (my_rank == 0) {
    wait_until_all_have_timed_out();
    OK(sum_within(in, out, GASPI_BLOCK));
  } else {
    GIVES(GASPI_TIMEOUT, sum_within(in, out, GASPI_TEST));
    GIVES(GASPI_ERR_ACTIVE_COLL, gaspi_allreduce((gaspi_pointer_t)in, out, 2, GASPI_OP_SUM, GASPI_TYPE_LONG,
                                                 GASPI_GROUP_ALL, GASPI_TEST)); /* that one first */
    REPEAT(sum_within(in, out, 20));
  }
  REQUIRE(out[0] == all + rank_number && out[1] == -10 * all);
}

/* Fewer may be under way, and each is so large that MPI does not buffer it. */
enum { messages = 20, most_under_way = 7, message_bytes = 1 << 17 };

static void passive_messages(void) {
  OK(gaspi_segment_create(1, message_bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  unsigned char* const bytes = memory_of(1);
  if (my_rank == 0) {
    int next[64] = {0};
    wait_until_all_have_timed_out();
    for (int i = 0; i < messages * (rank_number - 1); ++i) {
      gaspi_rank_t from = 0;
      OK(gaspi_passive_receive(1, 0, &from, message_bytes, GASPI_BLOCK));
      REQUIRE(from > 0 && from < rank_number);
      REQUIRE(bytes[0] == next[from] && bytes[message_bytes - 1] == from); /* in their order, none twice */
      ++next[from];
    }
    gaspi_rank_t from;
    GIVES(GASPI_TIMEOUT, gaspi_passive_receive(1, 0, &from, message_bytes, GASPI_TEST));
    return;
  }
  int has_timed_out = 0; /* as soon as so many are under way, and not before */
  for (int i = 0; i < messages; ++i) {
    bytes[0] = (unsigned char)i;
    bytes[message_bytes - 1] = (unsigned char)my_rank;
    for (gaspi_return_t told; (told = gaspi_passive_send(1, 0, 0, message_bytes, 20)) != GASPI_SUCCESS;) {
      REQUIRE(told == GASPI_TIMEOUT);
      REQUIRE(has_timed_out || i == most_under_way);
      if (!has_timed_out) OK(gaspi_notify(0, 0, 200U + my_rank, 1, 0, GASPI_BLOCK));
      has_timed_out = 1;
    }
  }
  REQUIRE(has_timed_out);
}

/* All threads of a rank get the same; one of them tells rank 0. */
static void sync_all(gaspi_int tid) {
  if (my_rank != 0 && tid == 0) {
    REPEAT(gaspi_threads_sync_all(GASPI_GROUP_ALL, 20));
  } else if (my_rank != 0) {
    int times = 0;
    for (gaspi_return_t told; (told = gaspi_threads_sync_all(GASPI_GROUP_ALL, 20)) != GASPI_SUCCESS; ++times)
      REQUIRE(told == GASPI_TIMEOUT);
    REQUIRE(times > 0);
  } else {
    if (tid == 0) wait_until_all_have_timed_out();
    OK(gaspi_threads_sync_all(GASPI_GROUP_ALL, GASPI_BLOCK));
  }
}

static void* other_thread(void* argument) {
  gaspi_int tid;
  (void)argument;
  OK(gaspi_threads_register(&tid));
  sync_all(1);
  gaspi_threads_sync();
  return NULL;
}

static void threads(void) {
  OK(gaspi_threads_init_user(2));
  OK(gaspi_threads_run(other_thread, NULL));
  sync_all(0);
  gaspi_threads_sync();
  OK(gaspi_threads_term());
}

/* Rank 1 makes no call for a while; only MPI's own ways may need it, so whether time is up is not said here. To
 * register a segment with it, and to use one of its own for the first time, in each kind of call: only then it is asked
 * for. */
static void first_uses(void) {
  enum { uses = 5 };
  if (rank_number < 2) return;
  for (gaspi_segment_id_t id = 10; id < 10 + uses; ++id) OK(gaspi_segment_alloc(id, 64, GASPI_MEM_INITIALIZED));
  if (my_rank == 1)
    for (gaspi_segment_id_t id = 10; id < 10 + uses; ++id) {
      ((unsigned char*)memory_of(id))[0] = id;
      for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) OK(gaspi_segment_register(id, rank, GASPI_BLOCK));
    }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (my_rank == 1) usleep(1500000);
  if (my_rank == 0) {
    gaspi_atomic_value_t before = 0;
    IN_TIME(gaspi_segment_register(10, 1, 20));
    IN_TIME(gaspi_write(10, 8, 1, 10, 8, 8, 0, 20));
    IN_TIME(gaspi_read(10, 0, 1, 11, 0, 8, 0, 20));
    IN_TIME(gaspi_notify(12, 1, 3, 4, 0, 20));
    IN_TIME(gaspi_atomic_fetch_add(13, 0, 1, 5, &before, 20));
    REQUIRE(before == 13);
    IN_TIME(gaspi_write_notify(10, 0, 1, 14, 8, 8, 6, 7, 0, 20));
    OK(gaspi_wait(0, GASPI_BLOCK));
    REQUIRE(((unsigned char*)memory_of(10))[0] == 11);
  }
  if (my_rank == 1) {
    REQUIRE(take(14, 6) == 7);
    REQUIRE(take(12, 3) == 4);
    REQUIRE(((unsigned char*)memory_of(13))[0] == 13 + 5);
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  for (gaspi_segment_id_t id = 10; id < 10 + uses; ++id) OK(gaspi_segment_delete(id));
}

static void lists_and_reads(void) {
  gaspi_segment_id_t segments[2] = {0, 0};
  gaspi_offset_t from[2] = {0, 64}, to[2] = {640, 512};
  gaspi_size_t bytes[2] = {64, 128};
  unsigned char* const mine = memory_of(0);
  if (rank_number < 2) return;
  for (int i = 0; i < 256; ++i) mine[i] = (unsigned char)(i + my_rank);
  for (int way = 0; way < 3; ++way) {
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    if (my_rank == 1) usleep(1500000);
    if (my_rank == 0 && way == 0) {
      IN_TIME(gaspi_write_list_notify(2, segments, from, 1, segments, to, bytes, 0, 90, 91, 1, 20));
      OK(gaspi_wait(1, GASPI_BLOCK));
    }
    if (my_rank == 1 && way == 0) {
      REQUIRE(take(0, 90) == 91);
      for (int i = 0; i < 64; ++i) REQUIRE(mine[640 + i] == i);
      for (int i = 0; i < 128; ++i) REQUIRE(mine[512 + i] == 64 + i);
    }
    if (my_rank == 0 && way == 1) IN_TIME(gaspi_read_notify(0, 704, 1, 0, 0, 128, 92, 1, 20));
    if (my_rank == 0 && way == 2)
      IN_TIME(gaspi_read_list_notify(2, segments, to, 1, segments, from, bytes, 0, 92, 1, 20));
    if (my_rank == 0 && way != 0) {
      REQUIRE(take(0, 92) == 1);
      OK(gaspi_wait(1, GASPI_BLOCK));
    }
    if (my_rank == 0 && way == 1)
      for (int i = 0; i < 128; ++i) REQUIRE(mine[704 + i] == i + 1);
    if (my_rank == 0 && way == 2)
      for (int i = 0; i < 128; ++i) REQUIRE(mine[512 + i] == 64 + i + 1);
  }
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
}

int main(void) {
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  config.passive_transfer_size_max = message_bytes;
  config.passive_queue_size_max = most_under_way;
  OK(gaspi_config_set(config));
  start();
  OK(gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  users_function();
  passive_messages();
  threads();
  first_uses();
  lists_and_reads();
  finish("late");
  return 0;
}
