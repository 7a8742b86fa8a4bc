/* Segments that each rank makes on its own, registers with some, binds to its memory, deletes and makes again. */
#include <string.h>

#include "gaspi_support.h"

static gaspi_rank_t next, before;

static void everybody(void) { OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)); }

static void register_with_all(gaspi_segment_id_t id) {
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank)
    if (rank != my_rank) OK(gaspi_segment_register(id, rank, GASPI_BLOCK));
}

/* Ranks have different sizes under one id, and one has none. */
static void alloc_and_register(void) {
  gaspi_size_t size = 0;
  const gaspi_rank_t without = 0;
  OK(gaspi_segment_alloc(200, 64, GASPI_MEM_INITIALIZED));
  if (my_rank != without) OK(gaspi_segment_alloc(5, 1000 + 100UL * my_rank, GASPI_MEM_INITIALIZED));
  everybody();
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) /* not registered yet */
    if (rank != my_rank) GIVES(GASPI_ERR_INV_SEG, gaspi_segment_size(5, rank, &size));
  everybody();
  if (my_rank != without) register_with_all(5);
  everybody();
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) {
    if (rank == without) {
      GIVES(GASPI_ERR_INV_SEG, gaspi_write(200, 0, rank, 5, 0, 8, 0, GASPI_BLOCK));
      continue;
    }
    OK(gaspi_segment_size(5, rank, &size));
    REQUIRE(size == 1000 + 100UL * rank);
    memory_of(200)[0] = (unsigned char)(my_rank + 1); /* from a segment with another id, also without a 5 */
    OK(gaspi_write_notify(200, 0, rank, 5, size - 1 - my_rank, 1, my_rank, 9, 0, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write(200, 0, rank, 5, size, 1, 0, GASPI_BLOCK));
  }
  OK(gaspi_wait(0, GASPI_BLOCK));
  if (my_rank != without)
    for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) {
      REQUIRE(take(5, rank) == 9);
      REQUIRE(memory_of(5)[1000 + 100 * my_rank - 1 - rank] == rank + 1);
    }
  everybody();
  if (my_rank != without) OK(gaspi_segment_delete(5));
  everybody();
  gaspi_rank_t local;
  OK(gaspi_proc_local_num(&local));
  for (gaspi_rank_t rank = 0; rank < rank_number; ++rank) /* a deleted segment: other nodes may not notice */
    if (rank == my_rank || local == rank_number)
      GIVES(GASPI_ERR_INV_SEG, gaspi_write(200, 0, rank, 5, 0, 8, 0, GASPI_BLOCK));
  OK(gaspi_segment_delete(200));
  everybody();
}

/* The same id again and again, of other sizes and memory: nobody writes to what was there. */
static void the_same_again(void) {
  for (int round = 0; round < 12; ++round) {
    const gaspi_size_t bytes = 128UL << (round % 5);
    unsigned char* users = NULL;
    if (round % 3 == 0) {
      OK(gaspi_segment_create(3, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    } else if (round % 3 == 1) {
      users = (unsigned char*)calloc(bytes, 1);
      OK(gaspi_segment_use(3, users, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
      REQUIRE(memory_of(3) == users);
    } else {
      users = (unsigned char*)calloc(bytes, 1);
      OK(gaspi_segment_bind(3, users, bytes, 0));
      OK(gaspi_segment_register(3, before, GASPI_BLOCK));
      everybody();
    }
    gaspi_size_t there = 0;
    OK(gaspi_segment_size(3, next, &there));
    REQUIRE(there == bytes);
    unsigned char* const mine = memory_of(3);
    for (unsigned i = 0; i < bytes; ++i) REQUIRE(mine[i] == 0);
    everybody();
    memset(mine, round + 1, bytes / 2);
    OK(gaspi_write_notify(3, 0, next, 3, bytes / 2, bytes / 2, 0, (gaspi_notification_t)round + 1, 0, GASPI_BLOCK));
    REQUIRE(take(3, 0) == (gaspi_notification_t)round + 1);
    for (unsigned i = 0; i < bytes; ++i) REQUIRE(mine[i] == round + 1);
    OK(gaspi_wait(0, GASPI_BLOCK));
    everybody();
    OK(gaspi_segment_delete(3));
    free(users);
    everybody();
  }
}

/* More of them than Open MPI attaches by itself; their list, and the first free id. */
static void many(void) {
  enum { number = 100 };
  gaspi_number_t here = 0, most = 0;
  gaspi_segment_id_t ids[number], free_id = 99;
  OK(gaspi_segment_max(&most));
  REQUIRE(most == 255);
  for (int i = 0; i < number; ++i)
    OK(gaspi_segment_create((gaspi_segment_id_t)(2 * i), 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_num(&here));
  REQUIRE(here == number);
  OK(gaspi_segment_list(here, ids));
  for (int i = 0; i < number; ++i) REQUIRE(ids[i] == 2 * i);
  OK(gaspi_segment_avail_local(&free_id));
  REQUIRE(free_id == 1);
  for (int i = 0; i < number; ++i) {
    memory_of(ids[i])[0] = (unsigned char)(i + my_rank);
    OK(gaspi_write_notify(ids[i], 0, next, ids[number - 1 - i], 8, 1, 7, 1, 0, GASPI_BLOCK));
  }
  for (int i = 0; i < number; ++i) {
    REQUIRE(take(ids[i], 7) == 1);
    REQUIRE(memory_of(ids[i])[8] == (unsigned char)(number - 1 - i + before));
  }
  OK(gaspi_wait(0, GASPI_BLOCK));
  everybody();
  for (int i = 0; i < number; ++i) OK(gaspi_segment_delete(ids[i]));
  OK(gaspi_segment_num(&here));
  REQUIRE(here == 0);
  everybody();
}

/* A segment is a part of another one's memory, and of an array in the middle of somewhere, at odd addresses. */
static void bound_within(void) {
  static unsigned char array[1001];
  gaspi_atomic_value_t old;
  OK(gaspi_segment_create(0, 4096, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_use(1, memory_of(0) + 1024, 512, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  OK(gaspi_segment_use(2, array + 3, 900, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  memset(memory_of(0), my_rank + 1, 256);
  OK(gaspi_write(0, 0, next, 1, 0, 256, 0, GASPI_BLOCK));
  OK(gaspi_write_notify(0, 0, next, 2, 1, 256, 3, 1, 0, GASPI_BLOCK));
  REQUIRE(take(2, 3) == 1);
  for (int i = 0; i < 256; ++i) REQUIRE(memory_of(0)[1024 + i] == before + 1 && array[4 + i] == before + 1);
  GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_fetch_add(2, 8, next, 1, &old, GASPI_BLOCK));
  OK(gaspi_wait(0, GASPI_BLOCK));
  everybody();
  OK(gaspi_segment_delete(2));
  OK(gaspi_segment_delete(1));
  OK(gaspi_segment_delete(0));
  everybody();
}

int main(void) {
  start();
  next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  before = (gaspi_rank_t)((my_rank + rank_number - 1) % rank_number);
  alloc_and_register();
  the_same_again();
  many();
  bound_within();
  finish("segments");
  return 0;
}
