/* Every procedure without gaspi_proc_init, before it and after gaspi_proc_term; and every one that gives something,
   without a place for it: nothing ends the program. (CMakeLists.txt looks whether all are here.) */
#include <GASPI_Threads.h>

#include "gaspi_support.h"

#define NOT_STARTED(call) GIVES(GASPI_ERR_NOINIT, call)
#define NO_PLACE(call) GIVES(GASPI_ERR_NULLPTR, call)

/* Rows of arguments that are right but for what is missing. */
static gaspi_segment_id_t ids[2];
static gaspi_offset_t offsets[2];
static gaspi_size_t sizes[2] = {8, 8};
static double in[2], out[2];

static gaspi_return_t no_operation(gaspi_pointer_t a, gaspi_pointer_t b, gaspi_pointer_t r, gaspi_reduce_state_t s,
                                   gaspi_number_t n, gaspi_size_t e, gaspi_timeout_t t) {
  (void)a, (void)b, (void)r, (void)s, (void)n, (void)e, (void)t;
  return GASPI_SUCCESS;
}

static void* no_work(void* argument) { return argument; }

static void needs_init(void) {
  gaspi_rank_t rank;
  gaspi_number_t number;
  gaspi_group_t group;
  gaspi_segment_id_t id;
  gaspi_size_t size;
  gaspi_pointer_t memory;
  gaspi_queue_id_t queue;
  gaspi_notification_id_t first;
  gaspi_notification_t value;
  gaspi_atomic_value_t old;
  gaspi_network_t network;
  gaspi_state_t health[64];
  gaspi_statistic_argument_t argument;
  gaspi_string_t text;
  unsigned long count;
  NOT_STARTED(gaspi_proc_term(GASPI_BLOCK));
  NOT_STARTED(gaspi_proc_rank(&rank));
  NOT_STARTED(gaspi_proc_num(&rank));
  NOT_STARTED(gaspi_proc_local_rank(&rank));
  NOT_STARTED(gaspi_proc_local_num(&rank));
  NOT_STARTED(gaspi_proc_kill(1, GASPI_BLOCK));
  NOT_STARTED(gaspi_proc_ping(0, GASPI_BLOCK));
  NOT_STARTED(gaspi_state_vec_get(health));
  NOT_STARTED(gaspi_connect(0, GASPI_BLOCK));
  NOT_STARTED(gaspi_disconnect(0, GASPI_BLOCK));

  NOT_STARTED(gaspi_group_create(&group));
  NOT_STARTED(gaspi_group_delete(1));
  NOT_STARTED(gaspi_group_add(1, 0));
  NOT_STARTED(gaspi_group_commit(1, GASPI_BLOCK));
  NOT_STARTED(gaspi_group_num(&number));
  NOT_STARTED(gaspi_group_size(GASPI_GROUP_ALL, &number));
  NOT_STARTED(gaspi_group_ranks(GASPI_GROUP_ALL, &rank));
  NOT_STARTED(gaspi_group_max(&number));

  NOT_STARTED(gaspi_segment_alloc(0, 8, GASPI_MEM_INITIALIZED));
  NOT_STARTED(gaspi_segment_delete(0));
  NOT_STARTED(gaspi_segment_register(0, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_segment_create(0, 8, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  NOT_STARTED(gaspi_segment_bind(0, in, sizeof in, 0));
  NOT_STARTED(gaspi_segment_use(0, in, sizeof in, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  NOT_STARTED(gaspi_segment_num(&number));
  NOT_STARTED(gaspi_segment_list(1, ids));
  NOT_STARTED(gaspi_segment_ptr(0, &memory));
  NOT_STARTED(gaspi_segment_size(0, 0, &size));
  NOT_STARTED(gaspi_segment_avail_local(&id));
  NOT_STARTED(gaspi_segment_max(&number));

  NOT_STARTED(gaspi_write(0, 0, 0, 0, 0, 8, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_read(0, 0, 0, 0, 0, 8, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_write_list(2, ids, offsets, 0, ids, offsets, sizes, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_read_list(2, ids, offsets, 0, ids, offsets, sizes, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_wait(0, GASPI_BLOCK));
  NOT_STARTED(gaspi_notify(0, 0, 1, 1, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_notify_waitsome(0, 0, 1, &first, GASPI_BLOCK));
  NOT_STARTED(gaspi_notify_reset(0, 0, &value));
  NOT_STARTED(gaspi_write_notify(0, 0, 0, 0, 0, 8, 1, 1, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_write_list_notify(2, ids, offsets, 0, ids, offsets, sizes, 0, 1, 1, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_read_notify(0, 0, 0, 0, 0, 8, 1, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_read_list_notify(2, ids, offsets, 0, ids, offsets, sizes, 0, 1, 0, GASPI_BLOCK));
  NOT_STARTED(gaspi_passive_send(0, 0, 0, 8, GASPI_BLOCK));
  NOT_STARTED(gaspi_passive_receive(0, 0, &rank, 8, GASPI_BLOCK));
  NOT_STARTED(gaspi_atomic_fetch_add(0, 0, 0, 1, &old, GASPI_BLOCK));
  NOT_STARTED(gaspi_atomic_compare_swap(0, 0, 0, 0, 1, &old, GASPI_BLOCK));
  NOT_STARTED(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  NOT_STARTED(gaspi_allreduce(in, out, 2, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
  NOT_STARTED(gaspi_allreduce_user(in, out, 2, 8, no_operation, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  NOT_STARTED(gaspi_threads_sync_all(GASPI_GROUP_ALL, GASPI_BLOCK));

  NOT_STARTED(gaspi_queue_create(&queue, GASPI_BLOCK));
  NOT_STARTED(gaspi_queue_delete(0));
  NOT_STARTED(gaspi_queue_purge(0, GASPI_BLOCK));
  NOT_STARTED(gaspi_queue_size(0, &number));
  NOT_STARTED(gaspi_queue_num(&number));
  NOT_STARTED(gaspi_queue_max(&number));
  NOT_STARTED(gaspi_queue_size_max(&number));
  NOT_STARTED(gaspi_transfer_size_min(&size));
  NOT_STARTED(gaspi_transfer_size_max(&size));
  NOT_STARTED(gaspi_notification_num(&number));
  NOT_STARTED(gaspi_passive_transfer_size_min(&size));
  NOT_STARTED(gaspi_passive_transfer_size_max(&size));
  NOT_STARTED(gaspi_atomic_max(&old));
  NOT_STARTED(gaspi_allreduce_buf_size(&size));
  NOT_STARTED(gaspi_allreduce_elem_max(&number));
  NOT_STARTED(gaspi_rw_list_elem_max(&number));
  NOT_STARTED(gaspi_network_type(&network));
  NOT_STARTED(gaspi_build_infrastructure(&number));
  NOT_STARTED(gaspi_statistic_verbosity_level(1));
  NOT_STARTED(gaspi_statistic_counter_max(&number));
  NOT_STARTED(gaspi_statistic_counter_info(0, &argument, &text, &text, &number));
  NOT_STARTED(gaspi_statistic_counter_get(0, 0, &count));
  NOT_STARTED(gaspi_statistic_counter_reset(0));
}

/* What is of the process and the machine is there without it. */
static void needs_nothing(void) {
  gaspi_config_t config;
  gaspi_number_t number = 9;
  gaspi_int count = 0;
  float version, megahertz;
  gaspi_time_t time;
  gaspi_cycles_t ticks;
  gaspi_uchar socket;
  gaspi_string_t text;
  char machine[16];
  OK(gaspi_config_get(&config));
  OK(gaspi_config_set(config));
  OK(gaspi_initialized(&number));
  REQUIRE(number == 0);
  OK(gaspi_version(&version));
  OK(gaspi_time_get(&time));
  OK(gaspi_time_ticks(&ticks));
  OK(gaspi_print_error(GASPI_ERROR, &text));
  REQUIRE(text != NULL && gaspi_error_str(GASPI_ERROR) != NULL);
  free(text);
  OK(gaspi_machine_type(machine));
  GIVES(GASPI_ERR_ENV, gaspi_numa_socket(&socket));
  gaspi_delay();
  (void)gaspi_cpu_frequency(&megahertz); /* not every machine says */
  GIVES(GASPI_ERROR, gaspi_set_socket_affinity(250));
  OK(gaspi_pcontrol(NULL));
  gaspi_print_affinity_mask();
  gaspi_printf("not in a world\n");
  gaspi_printf_to(0, "nor here\n");
  OK(gaspi_threads_get_num_cores(&count));
  GIVES(GASPI_ERROR, gaspi_threads_get_total(&count));
  GIVES(GASPI_ERROR, gaspi_threads_run(no_work, NULL));
  gaspi_threads_sync();
  OK(gaspi_threads_init(&count));
  OK(gaspi_threads_term());
  OK(gaspi_threads_init_user(1));
  OK(gaspi_threads_register(&count));
  OK(gaspi_threads_get_tid(&count));
  OK(gaspi_threads_term());
}

static void have_no_place(void) {
  gaspi_statistic_argument_t argument;
  gaspi_string_t text;
  gaspi_number_t level;
  NO_PLACE(gaspi_config_get(NULL));
  NO_PLACE(gaspi_initialized(NULL));
  NO_PLACE(gaspi_version(NULL));
  NO_PLACE(gaspi_proc_rank(NULL));
  NO_PLACE(gaspi_proc_num(NULL));
  NO_PLACE(gaspi_proc_local_rank(NULL));
  NO_PLACE(gaspi_proc_local_num(NULL));
  NO_PLACE(gaspi_state_vec_get(NULL));
  NO_PLACE(gaspi_group_create(NULL));
  NO_PLACE(gaspi_group_num(NULL));
  NO_PLACE(gaspi_group_size(GASPI_GROUP_ALL, NULL));
  NO_PLACE(gaspi_group_ranks(GASPI_GROUP_ALL, NULL));
  NO_PLACE(gaspi_group_max(NULL));
  NO_PLACE(gaspi_segment_bind(1, NULL, 8, 0));
  NO_PLACE(gaspi_segment_use(1, NULL, 8, GASPI_GROUP_ALL, GASPI_BLOCK, 0));
  NO_PLACE(gaspi_segment_num(NULL));
  NO_PLACE(gaspi_segment_list(1, NULL));
  NO_PLACE(gaspi_segment_ptr(0, NULL));
  NO_PLACE(gaspi_segment_size(0, 0, NULL));
  NO_PLACE(gaspi_segment_avail_local(NULL));
  NO_PLACE(gaspi_segment_max(NULL));
  NO_PLACE(gaspi_notify_waitsome(0, 0, 1, NULL, GASPI_BLOCK));
  OK(gaspi_notify_reset(0, 0, NULL)); /* nobody asks for the value */
  NO_PLACE(gaspi_passive_receive(0, 0, NULL, 8, GASPI_BLOCK));
  NO_PLACE(gaspi_atomic_fetch_add(0, 0, 0, 1, NULL, GASPI_BLOCK));
  NO_PLACE(gaspi_atomic_compare_swap(0, 0, 0, 0, 1, NULL, GASPI_BLOCK));
  NO_PLACE(gaspi_allreduce(NULL, out, 2, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
  NO_PLACE(gaspi_allreduce(in, NULL, 2, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, GASPI_GROUP_ALL, GASPI_BLOCK));
  NO_PLACE(gaspi_allreduce_user(NULL, out, 2, 8, no_operation, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  NO_PLACE(gaspi_allreduce_user(in, NULL, 2, 8, no_operation, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  NO_PLACE(gaspi_allreduce_user(in, out, 2, 8, NULL, NULL, GASPI_GROUP_ALL, GASPI_BLOCK));
  NO_PLACE(gaspi_queue_create(NULL, GASPI_BLOCK));
  NO_PLACE(gaspi_queue_size(0, NULL));
  NO_PLACE(gaspi_queue_num(NULL));
  NO_PLACE(gaspi_queue_max(NULL));
  NO_PLACE(gaspi_queue_size_max(NULL));
  NO_PLACE(gaspi_transfer_size_min(NULL));
  NO_PLACE(gaspi_transfer_size_max(NULL));
  NO_PLACE(gaspi_notification_num(NULL));
  NO_PLACE(gaspi_passive_transfer_size_min(NULL));
  NO_PLACE(gaspi_passive_transfer_size_max(NULL));
  NO_PLACE(gaspi_atomic_max(NULL));
  NO_PLACE(gaspi_allreduce_buf_size(NULL));
  NO_PLACE(gaspi_allreduce_elem_max(NULL));
  NO_PLACE(gaspi_rw_list_elem_max(NULL));
  NO_PLACE(gaspi_network_type(NULL));
  NO_PLACE(gaspi_build_infrastructure(NULL));
  NO_PLACE(gaspi_time_get(NULL));
  NO_PLACE(gaspi_time_ticks(NULL));
  NO_PLACE(gaspi_print_error(GASPI_ERROR, NULL));
  NO_PLACE(gaspi_machine_type(NULL));
  NO_PLACE(gaspi_cpu_frequency(NULL));
  NO_PLACE(gaspi_numa_socket(NULL));
  NO_PLACE(gaspi_statistic_counter_max(NULL));
  NO_PLACE(gaspi_statistic_counter_info(0, NULL, &text, &text, &level));
  NO_PLACE(gaspi_statistic_counter_info(0, &argument, NULL, &text, &level));
  NO_PLACE(gaspi_statistic_counter_info(0, &argument, &text, NULL, &level));
  NO_PLACE(gaspi_statistic_counter_info(0, &argument, &text, &text, NULL));
  NO_PLACE(gaspi_statistic_counter_get(0, 0, NULL));
  NO_PLACE(gaspi_threads_init(NULL));
  NO_PLACE(gaspi_threads_run(NULL, NULL));
  NO_PLACE(gaspi_threads_register(NULL));
  NO_PLACE(gaspi_threads_get_tid(NULL));
  NO_PLACE(gaspi_threads_get_total(NULL));
  NO_PLACE(gaspi_threads_get_num_cores(NULL));
  gaspi_printf(NULL);
  gaspi_printf_to(0, NULL);
}

/* Each of a list's five arrays in turn. */
static void have_no_list(void) {
  for (int missing = 0; missing < 5; ++missing) {
    gaspi_segment_id_t* const local = missing == 0 ? NULL : ids;
    gaspi_offset_t* const from = missing == 1 ? NULL : offsets;
    gaspi_segment_id_t* const remote = missing == 2 ? NULL : ids;
    gaspi_offset_t* const to = missing == 3 ? NULL : offsets;
    gaspi_size_t* const bytes = missing == 4 ? NULL : sizes;
    NO_PLACE(gaspi_write_list(2, local, from, 0, remote, to, bytes, 0, GASPI_BLOCK));
    NO_PLACE(gaspi_read_list(2, local, from, 0, remote, to, bytes, 0, GASPI_BLOCK));
    NO_PLACE(gaspi_write_list_notify(2, local, from, 0, remote, to, bytes, 0, 1, 1, 0, GASPI_BLOCK));
    NO_PLACE(gaspi_read_list_notify(2, local, from, 0, remote, to, bytes, 0, 1, 0, GASPI_BLOCK));
  }
}

int main(void) {
  needs_init();
  needs_nothing();
  start();
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  GIVES(GASPI_ERROR, gaspi_threads_sync_all(GASPI_GROUP_ALL, GASPI_BLOCK)); /* without gaspi_threads_init */
  have_no_place();
  have_no_list();
  finish("without");
  needs_init();
  needs_nothing();
  return 0;
}
