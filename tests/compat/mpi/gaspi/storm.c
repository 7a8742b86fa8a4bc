/* Random writes, reads and notifications among all ranks, against a model that each rank computes alone, while messages
   of MPI's go round. argv[1]: the seed. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

#include "gaspi_support.h"

enum { slots = 24, slot_bytes = 4096, rounds = 40 };

static uint64_t random_state;

static uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15U + b * 0xbf58476d1ce4e5b9U + 1;
  x ^= x >> 31;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 29);
}

/* What `from` sends to `to` in a round: everybody can compute it. */
struct plan {
  unsigned at, bytes;
  unsigned char value;
  int list, value_of_notification;
};

static struct plan plan_of(int round, int from, int to) {
  const uint64_t r = mixed(mixed(random_state + (uint64_t)round, (uint64_t)from), (uint64_t)to);
  struct plan p;
  p.bytes = r % 5 == 0 ? 8 : (unsigned)(r >> 8) % slot_bytes;
  p.at = (unsigned)(r >> 24) % (slot_bytes - p.bytes + 1);
  p.value = (unsigned char)(r >> 40);
  p.list = (int)(r >> 48) % 3;
  p.value_of_notification = (int)((r >> 50) % 1000) + 1;
  return p;
}

static void send_all(int round, gaspi_segment_id_t to_segment) {
  unsigned char* const mine = memory_of(1);
  for (int k = 0; k < rank_number; ++k) {
    const gaspi_rank_t to = (gaspi_rank_t)((my_rank + k) % rank_number);
    const struct plan p = plan_of(round, my_rank, to);
    const gaspi_offset_t here = (gaspi_offset_t)to * slot_bytes + p.at,
                         there = (gaspi_offset_t)my_rank * slot_bytes + p.at;
    memset(mine + here, p.value, p.bytes);
    const gaspi_notification_id_t id = (gaspi_notification_id_t)my_rank;
    if (p.list == 0) {
      OK(gaspi_write_notify(1, here, to, to_segment, there, p.bytes, id, (gaspi_notification_t)p.value_of_notification,
                            1, GASPI_BLOCK));
    } else if (p.list == 1) {
      OK(gaspi_write(1, here, to, to_segment, there, p.bytes, 1, GASPI_BLOCK));
      OK(gaspi_notify(to_segment, to, id, (gaspi_notification_t)p.value_of_notification, 1, GASPI_BLOCK));
    } else {
      gaspi_segment_id_t from_ids[2] = {1, 1}, to_ids[2] = {to_segment, to_segment};
      gaspi_offset_t from_at[2] = {here, here + p.bytes / 2}, to_at[2] = {there, there + p.bytes / 2};
      gaspi_size_t sizes[2] = {p.bytes / 2, p.bytes - p.bytes / 2};
      OK(gaspi_write_list_notify(2, from_ids, from_at, to, to_ids, to_at, sizes, to_segment, id,
                                 (gaspi_notification_t)p.value_of_notification, 1, GASPI_BLOCK));
    }
  }
}

static void receive_all(int round, gaspi_segment_id_t segment, unsigned char* model) {
  const unsigned char* const come = memory_of(segment);
  for (int left = rank_number; left > 0; --left) {
    gaspi_notification_id_t from;
    gaspi_notification_t value;
    OK(gaspi_notify_waitsome(segment, 0, rank_number, &from, GASPI_BLOCK));
    OK(gaspi_notify_reset(segment, from, &value));
    const struct plan p = plan_of(round, (int)from, my_rank);
    REQUIRE(value == (gaspi_notification_t)p.value_of_notification);
    memset(model + from * slot_bytes + p.at, p.value, p.bytes);
    REQUIRE(memcmp(come + from * slot_bytes, model + from * slot_bytes, slot_bytes) == 0);
  }
}

/* What one rank sees of another's segment 0 is what that one has been sent. */
static void read_back(int round) {
  const gaspi_rank_t whose = (gaspi_rank_t)((my_rank + (gaspi_rank_t)round) % rank_number);
  const gaspi_offset_t at = (gaspi_offset_t)my_rank * slot_bytes;
  OK(gaspi_read_notify(2, 0, whose, 0, at, slot_bytes, 3, 2, GASPI_BLOCK));
  REQUIRE(take(2, 3) == 1);
  const struct plan p = plan_of(round, my_rank, whose);
  const unsigned char* const seen = memory_of(2);
  for (unsigned i = 0; i < p.bytes; ++i) REQUIRE(seen[p.at + i] == p.value);
}

int main(int argc, char** argv) {
  random_state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261123;
  start();
  const gaspi_size_t bytes = (gaspi_size_t)rank_number * slot_bytes;
  OK(gaspi_segment_create(0, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_create(1, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_create(2, slot_bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  unsigned char* const users = (unsigned char*)calloc(bytes, 1);
  OK(gaspi_segment_use(7, users, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  unsigned char* const model = (unsigned char*)calloc(2, bytes);
  if (my_rank == 0)
    printf("seed %llu: storm %llu repeats it\n", (unsigned long long)random_state, (unsigned long long)random_state);

  double sent[64], come[64];
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 64; ++i) sent[i] = my_rank * 100 + round + i;
    MPI_Irecv(come, 64, MPI_DOUBLE, (my_rank + rank_number - 1) % rank_number, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 64, MPI_DOUBLE, (my_rank + 1) % rank_number, 3, MPI_COMM_WORLD, &requests[1]);
    const gaspi_segment_id_t segment = round % 4 == 3 ? 7 : 0;
    send_all(round, segment);
    receive_all(round, segment, segment == 7 ? model + bytes : model);
    OK(gaspi_wait(1, GASPI_BLOCK));
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    if (segment == 0) read_back(round);
    OK(gaspi_wait(2, GASPI_BLOCK));
    MPI_Waitall(2, requests, statuses);
    for (int i = 0; i < 64; ++i) REQUIRE(come[i] == (my_rank + rank_number - 1) % rank_number * 100 + round + i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  OK(gaspi_segment_delete(7));
  free(users);
  free(model);
  finish("storm");
  return 0;
}
