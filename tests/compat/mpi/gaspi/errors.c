/* Every argument that is wrong has an error number of its own, and nothing happens. */
#include <limits.h>

#include "gaspi_support.h"

static void before_init(void) {
  gaspi_rank_t rank;
  gaspi_number_t number = 7;
  gaspi_config_t config;
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_rank(&rank));
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_term(GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_write(0, 0, 0, 0, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NOINIT, gaspi_segment_alloc(0, 1, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_NULLPTR, gaspi_initialized(NULL));
  OK(gaspi_initialized(&number));
  REQUIRE(number == 0);

  GIVES(GASPI_ERR_NULLPTR, gaspi_config_get(NULL));
  OK(gaspi_config_get(&config));
  REQUIRE(config.queue_num == 8 && config.queue_size_max == 1024 && config.notification_num == 65536);
  gaspi_config_t wrong = config;
  wrong.queue_num = 17;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(wrong));
  wrong = config;
  wrong.queue_size_max = 0;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(wrong));
  wrong = config;
  wrong.sn_port = 80;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(wrong));
  wrong = config;
  wrong.segment_max = 256;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(wrong));
  config.segment_max = 3;
  config.group_max = 2;
  config.notification_num = 100;
  config.transfer_size_max = 512;
  config.rw_list_elem_max = 4;
  config.queue_size_max = 8;
  OK(gaspi_config_set(config));
}

static void ranks_and_places(void) {
  const gaspi_rank_t none = rank_number;
  gaspi_rank_t rank;
  gaspi_notification_id_t id;
  gaspi_size_t size;
  GIVES(GASPI_ERR_INITED, gaspi_proc_init(GASPI_BLOCK));
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  GIVES(GASPI_ERR_INITED, gaspi_config_set(config));
  GIVES(GASPI_ERR_NULLPTR, gaspi_proc_rank(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_proc_num(NULL));
  GIVES(GASPI_ERR_INV_RANK, gaspi_connect(none, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_disconnect(none, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_proc_kill(none, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_proc_kill(my_rank, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_proc_ping(none, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_write(0, 0, none, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_read(0, 0, none, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_notify(0, none, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_segment_register(0, none, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_segment_size(0, none, &size));
  GIVES(GASPI_ERR_INV_RANK, gaspi_passive_send(0, 0, none, 8, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_passive_receive(0, 0, NULL, 8, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SIZE, gaspi_passive_send(0, 0, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SIZE, gaspi_passive_receive(0, 0, &rank, 70000, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_passive_send(0, 1020, 0, 8, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_passive_send(9, 0, 0, 8, GASPI_BLOCK));

  GIVES(GASPI_ERR_INV_SEG, gaspi_write(9, 0, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_write(0, 0, 0, 9, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_write(0, 1020, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_read(0, ULONG_MAX, 0, 0, 0, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write(0, 0, 0, 0, 1020, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_read(0, 0, 0, 0, ULONG_MAX - 3, 8, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_COMMSIZE, gaspi_write(0, 0, 0, 0, 0, 513, 0, GASPI_BLOCK));
  OK(gaspi_write(0, 0, 0, 0, 1024, 0, 0, GASPI_BLOCK)); /* nothing, at the end */
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_write(0, 0, 0, 0, 0, 8, 8, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_write(0, 0, 0, 0, 0, 8, 255, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_wait(16, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_delete(9));
  GIVES(GASPI_ERR_INV_QUEUE, gaspi_queue_purge(9, GASPI_BLOCK));

  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_notify(0, 0, 100, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_VAL, gaspi_notify(0, 0, 1, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_write_notify(0, 0, 0, 0, 0, 8, 100, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_VAL, gaspi_write_notify(0, 0, 0, 0, 0, 8, 1, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_read_notify(0, 0, 0, 0, 0, 8, 100, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_ID, gaspi_notify_waitsome(0, 100, 1, &id, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NUM, gaspi_notify_waitsome(0, 50, 51, &id, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_notify_waitsome(0, 0, 1, NULL, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_notify_waitsome(9, 0, 1, &id, GASPI_BLOCK));
  OK(gaspi_notify_waitsome(0, 0, 0, &id, GASPI_BLOCK)); /* none of none */
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(0, 0, 100, &id, GASPI_TEST));
  OK(gaspi_notify(0, my_rank, 3, 1, 0, GASPI_BLOCK));
  OK(gaspi_notify_waitsome(0, 3, 1, &id, GASPI_BLOCK));
  OK(gaspi_notify_reset(0, 3, NULL)); /* nobody asks for the value */
  GIVES(GASPI_TIMEOUT, gaspi_notify_waitsome(0, 3, 1, &id, GASPI_TEST));
}

static void lists(void) {
  gaspi_segment_id_t segments[5] = {0, 0, 0, 0, 0};
  gaspi_offset_t offsets[5] = {0, 8, 16, 24, 32}, beyond[5] = {0, 8, 16, 1024, 32};
  gaspi_size_t sizes[5] = {8, 8, 8, 8, 8};
  GIVES(GASPI_ERR_INV_NUM, gaspi_write_list(5, segments, offsets, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NUM, gaspi_read_list(0, segments, offsets, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_write_list(4, NULL, offsets, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_read_list(4, segments, offsets, 0, segments, offsets, NULL, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write_list(4, segments, offsets, 0, segments, beyond, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_read_list(4, segments, beyond, 0, segments, offsets, sizes, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_NOTIF_VAL,
        gaspi_write_list_notify(4, segments, offsets, 0, segments, offsets, sizes, 0, 1, 0, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG,
        gaspi_read_list_notify(4, segments, offsets, 0, segments, offsets, sizes, 9, 1, 0, GASPI_BLOCK));
}

static void atomics(void) {
  gaspi_atomic_value_t old;
  GIVES(GASPI_ERR_NULLPTR, gaspi_atomic_fetch_add(0, 0, 0, 1, NULL, GASPI_BLOCK));
  GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_fetch_add(0, 4, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_REM_OFF, gaspi_atomic_fetch_add(0, 1024, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_RANK, gaspi_atomic_fetch_add(0, 0, rank_number, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_atomic_fetch_add(9, 0, 0, 1, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_compare_swap(0, 12, 0, 1, 2, &old, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_atomic_max(NULL));
}

static void segments(void) {
  gaspi_segment_id_t ids[4];
  gaspi_pointer_t memory;
  gaspi_size_t size;
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_alloc(0, 8, GASPI_MEM_INITIALIZED)); /* there is one */
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_create(0, 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_alloc(255, 8, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEGSIZE, gaspi_segment_alloc(1, 0, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_MEMALLOC, gaspi_segment_alloc(1, 1UL << 60, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_delete(1));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_register(1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_ptr(1, &memory));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_ptr(0, NULL));
  GIVES(GASPI_ERR_INV_SEG, gaspi_segment_size(1, 0, &size));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_bind(1, NULL, 8, 0));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_use(1, NULL, 8, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_segment_create(1, 8, 7, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_NULLPTR, gaspi_segment_list(1, NULL));
  GIVES(GASPI_ERR_INV_NUM, gaspi_segment_list(2, ids));
  OK(gaspi_segment_alloc(1, 8, GASPI_MEM_INITIALIZED));
  OK(gaspi_segment_alloc(2, 8, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_MANY_SEG, gaspi_segment_alloc(3, 8, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERR_MANY_SEG, gaspi_segment_avail_local(ids));
  OK(gaspi_segment_delete(1));
  OK(gaspi_segment_delete(2));
}

static void groups(void) {
  gaspi_group_t group, other;
  gaspi_number_t number;
  double in = 1, out = 0;
  GIVES(GASPI_ERR_NULLPTR, gaspi_group_create(NULL));
  OK(gaspi_group_create(&group));
  GIVES(GASPI_ERR_MANY_GRP, gaspi_group_create(&other));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_barrier(group, GASPI_BLOCK)); /* not committed */
  GIVES(GASPI_ERR_INV_GROUP, gaspi_barrier(99, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_delete(99));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_delete(GASPI_GROUP_ALL));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_add(99, 0));
  GIVES(GASPI_ERR_INV_RANK, gaspi_group_add(group, rank_number));
  OK(gaspi_group_add(group, 0));
  GIVES(GASPI_ERR_INV_RANK, gaspi_group_add(group, 0)); /* twice */
  if (my_rank != 0) GIVES(GASPI_ERR_INV_GROUP, gaspi_group_commit(group, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_group_size(99, &number));
  GIVES(GASPI_ERR_NULLPTR, gaspi_group_size(group, NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_group_ranks(group, NULL));
  OK(gaspi_group_delete(group));

  GIVES(GASPI_ERR_NULLPTR, gaspi_allreduce(NULL, &out, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, 0));
  GIVES(GASPI_ERR_INV_NUM, gaspi_allreduce(&in, &out, 256, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, 0));
  GIVES(GASPI_ERR_INV_NUM, gaspi_allreduce(&in, &out, 0, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, 0));
  GIVES(GASPI_ERROR, gaspi_allreduce(&in, &out, 1, (gaspi_operation_t)3, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, 0));
  GIVES(GASPI_ERROR, gaspi_allreduce(&in, &out, 1, GASPI_OP_SUM, (gaspi_datatype_t)6, GASPI_GROUP_ALL, 0));
  GIVES(GASPI_ERR_INV_GROUP, gaspi_allreduce(&in, &out, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, 99, 0));
  GIVES(GASPI_ERR_NULLPTR, gaspi_allreduce_user(&in, &out, 1, 8, NULL, NULL, GASPI_GROUP_ALL, 0));
}

static gaspi_return_t no_operation(gaspi_pointer_t a, gaspi_pointer_t b, gaspi_pointer_t r, gaspi_reduce_state_t s,
                                   gaspi_number_t n, gaspi_size_t e, gaspi_timeout_t t) {
  (void)a, (void)b, (void)r, (void)s, (void)n, (void)e, (void)t;
  return GASPI_SUCCESS;
}

static void full_queues(void) {
  gaspi_number_t size;
  gaspi_queue_id_t queue;
  OK(gaspi_wait(3, GASPI_BLOCK));
  for (int i = 0; i < 8; ++i) OK(gaspi_write(0, 0, 0, 0, 0, 8, 3, GASPI_BLOCK));
  GIVES(GASPI_QUEUE_FULL, gaspi_write(0, 0, 0, 0, 0, 8, 3, GASPI_BLOCK));
  GIVES(GASPI_QUEUE_FULL, gaspi_notify(0, 0, 1, 1, 3, GASPI_BLOCK));
  OK(gaspi_queue_size(3, &size));
  REQUIRE(size == 8);
  OK(gaspi_wait(3, GASPI_BLOCK));
  OK(gaspi_queue_size(3, &size));
  REQUIRE(size == 0);
  OK(gaspi_write(0, 0, 0, 0, 0, 8, 3, GASPI_BLOCK));
  GIVES(GASPI_ERR_NULLPTR, gaspi_queue_size(3, NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_queue_create(NULL, GASPI_BLOCK));
  for (int i = 8; i < 16; ++i) OK(gaspi_queue_create(&queue, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_queue_create(&queue, GASPI_BLOCK));
}

static void counters_and_places(void) {
  unsigned long value;
  gaspi_string_t text;
  GIVES(GASPI_ERR_INV_NUM, gaspi_statistic_counter_get(99, 0, &value));
  GIVES(GASPI_ERR_NULLPTR, gaspi_statistic_counter_get(0, 0, NULL));
  GIVES(GASPI_ERR_INV_NUM, gaspi_statistic_counter_reset(99));
  GIVES(GASPI_ERR_NULLPTR, gaspi_statistic_counter_info(0, NULL, &text, &text, NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_statistic_counter_max(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_state_vec_get(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_time_get(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_time_ticks(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_print_error(GASPI_ERROR, NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_version(NULL));
  GIVES(GASPI_ERR_NULLPTR, gaspi_transfer_size_max(NULL));
}

int main(void) {
  before_init();
  start();
  OK(gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  ranks_and_places();
  lists();
  atomics();
  segments();
  groups();
  double in = 1, out = 0;
  GIVES(GASPI_ERR_INV_SIZE, gaspi_allreduce_user(&in, &out, 1, 0, no_operation, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  GIVES(GASPI_ERR_INV_SIZE, gaspi_allreduce_user(&in, &out, 2, 2000, no_operation, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  full_queues();
  counters_and_places();
  const unsigned char* const memory = memory_of(0);
  for (int i = 0; i < 1024; ++i) REQUIRE(memory[i] == 0);
  finish("errors");
  GIVES(GASPI_ERR_NOINIT, gaspi_proc_term(GASPI_BLOCK));
  return 0;
}
