/* The procedures of GASPI 17.1 over Wherry, as GPI-2 1.6 declares them. All may be called inside an MPI program,
   while its own messages are in flight. Procedures are local unless this header says otherwise.

   Each procedure checks its arguments, and answers a wrong one with an error number of its own (GASPI_ERR_...);
   nothing is sent then. timeout_ms is the time limit in milliseconds. GASPI_TIMEOUT means that the procedure is not
   done: make the same call again to continue it. */
#ifndef GPI2_H
#define GPI2_H

#include "GASPI_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Configuration. Call gaspi_config_set before gaspi_proc_init, with the same values on all ranks. */
gaspi_return_t gaspi_config_get(gaspi_config_t* const config);
gaspi_return_t gaspi_config_set(const gaspi_config_t new_config);
gaspi_return_t gaspi_version(float* version);

/* Processes. gaspi_proc_init is collective over MPI_COMM_WORLD. It starts MPI if the program has not; then MPI is
   ended when the program ends. The procedures to init, term, connect and disconnect ignore their time limit. */
gaspi_return_t gaspi_proc_init(const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_proc_term(const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_proc_rank(gaspi_rank_t* const rank);
gaspi_return_t gaspi_proc_num(gaspi_rank_t* const proc_num);
gaspi_return_t gaspi_proc_kill(const gaspi_rank_t rank, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_connect(const gaspi_rank_t rank, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_disconnect(const gaspi_rank_t rank, const gaspi_timeout_t timeout_ms);

/* Groups. GASPI_GROUP_ALL exists from the start. All members of a group add the same ranks; then gaspi_group_commit
   is collective over the group. */
gaspi_return_t gaspi_group_create(gaspi_group_t* const group);
gaspi_return_t gaspi_group_delete(const gaspi_group_t group);
gaspi_return_t gaspi_group_add(const gaspi_group_t group, const gaspi_rank_t rank);
gaspi_return_t gaspi_group_commit(const gaspi_group_t group, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_group_num(gaspi_number_t* const group_num);
gaspi_return_t gaspi_group_size(const gaspi_group_t group, gaspi_number_t* const group_size);
gaspi_return_t gaspi_group_ranks(const gaspi_group_t group, gaspi_rank_t* const group_ranks);
gaspi_return_t gaspi_group_max(gaspi_number_t* const group_max);

/* Segments. alloc, bind, register and delete are local; create and use are collective over the group. */
gaspi_return_t gaspi_segment_alloc(const gaspi_segment_id_t segment_id, const gaspi_size_t size,
                                   const gaspi_alloc_t alloc_policy);
gaspi_return_t gaspi_segment_delete(const gaspi_segment_id_t segment_id);
gaspi_return_t gaspi_segment_register(const gaspi_segment_id_t segment_id, const gaspi_rank_t rank,
                                      const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_segment_create(const gaspi_segment_id_t segment_id, const gaspi_size_t size,
                                    const gaspi_group_t group, const gaspi_timeout_t timeout_ms,
                                    const gaspi_alloc_t alloc_policy);
gaspi_return_t gaspi_segment_bind(const gaspi_segment_id_t segment_id, const gaspi_pointer_t pointer,
                                  const gaspi_size_t size, const gaspi_memory_description_t memory_description);
gaspi_return_t gaspi_segment_use(const gaspi_segment_id_t segment_id, const gaspi_pointer_t pointer,
                                 const gaspi_size_t size, const gaspi_group_t group, const gaspi_timeout_t timeout,
                                 const gaspi_memory_description_t memory_description);
gaspi_return_t gaspi_segment_num(gaspi_number_t* const segment_num);
gaspi_return_t gaspi_segment_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_list);
gaspi_return_t gaspi_segment_ptr(const gaspi_segment_id_t segment_id, gaspi_pointer_t* ptr);
gaspi_return_t gaspi_segment_max(gaspi_number_t* const segment_max);

/* One-sided requests. A request is done when gaspi_wait on its queue has returned GASPI_SUCCESS; until then the
   local data must not change. GASPI_QUEUE_FULL: call gaspi_wait first. */
gaspi_return_t gaspi_write(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                           const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                           const gaspi_offset_t offset_remote, const gaspi_size_t size, const gaspi_queue_id_t queue,
                           const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_read(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                          const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                          const gaspi_offset_t offset_remote, const gaspi_size_t size, const gaspi_queue_id_t queue,
                          const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_write_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                gaspi_size_t* const size, const gaspi_queue_id_t queue,
                                const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_read_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                               gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                               gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                               gaspi_size_t* const size, const gaspi_queue_id_t queue,
                               const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_wait(const gaspi_queue_id_t queue, const gaspi_timeout_t timeout_ms);

/* Notifications. A notification becomes visible after all data that the same rank has written to the same rank
   before it. A value must not be 0. */
gaspi_return_t gaspi_notify(const gaspi_segment_id_t segment_id_remote, const gaspi_rank_t rank,
                            const gaspi_notification_id_t notification_id,
                            const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                            const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_notify_waitsome(const gaspi_segment_id_t segment_id_local,
                                     const gaspi_notification_id_t notification_begin, const gaspi_number_t num,
                                     gaspi_notification_id_t* const first_id, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_notify_reset(const gaspi_segment_id_t segment_id_local,
                                  const gaspi_notification_id_t notification_id,
                                  gaspi_notification_t* const old_notification_val);
gaspi_return_t gaspi_write_notify(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                  const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                                  const gaspi_offset_t offset_remote, const gaspi_size_t size,
                                  const gaspi_notification_id_t notification_id,
                                  const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                                  const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_write_list_notify(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                       gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                       gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                       gaspi_size_t* const size, const gaspi_segment_id_t segment_id_notification,
                                       const gaspi_notification_id_t notification_id,
                                       const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                                       const gaspi_timeout_t timeout_ms);
/* These two notify this rank itself, in its own segment, with the value 1, when the data has arrived. */
gaspi_return_t gaspi_read_notify(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                 const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                                 const gaspi_offset_t offset_remote, const gaspi_size_t size,
                                 const gaspi_notification_id_t notification_id, const gaspi_queue_id_t queue,
                                 const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_read_list_notify(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                      gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                      gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                      gaspi_size_t* const size, const gaspi_segment_id_t segment_id_notification,
                                      const gaspi_notification_id_t notification_id, const gaspi_queue_id_t queue,
                                      const gaspi_timeout_t timeout_ms);

/* Passive communication: a message to a rank, which any of its threads may receive. */
gaspi_return_t gaspi_passive_send(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                  const gaspi_rank_t rank, const gaspi_size_t size, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_passive_receive(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                     gaspi_rank_t* const rem_rank, const gaspi_size_t size,
                                     const gaspi_timeout_t timeout_ms);

/* Atomic operations on words of 8 bytes, at offsets that are multiples of 8. */
gaspi_return_t gaspi_atomic_fetch_add(const gaspi_segment_id_t segment_id, const gaspi_offset_t offset,
                                      const gaspi_rank_t rank, const gaspi_atomic_value_t val_add,
                                      gaspi_atomic_value_t* const val_old, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_atomic_compare_swap(const gaspi_segment_id_t segment_id, const gaspi_offset_t offset,
                                         const gaspi_rank_t rank, const gaspi_atomic_value_t comparator,
                                         const gaspi_atomic_value_t val_new, gaspi_atomic_value_t* const val_old,
                                         const gaspi_timeout_t timeout_ms);

/* Collectives over a committed group. A group runs one kind of collective at a time. */
gaspi_return_t gaspi_barrier(const gaspi_group_t group, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_allreduce(const gaspi_pointer_t buffer_send, const gaspi_pointer_t buffer_receive,
                               const gaspi_number_t num, const gaspi_operation_t operation,
                               const gaspi_datatype_t datatyp, const gaspi_group_t group,
                               const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_allreduce_user(const gaspi_pointer_t buffer_send, const gaspi_pointer_t buffer_receive,
                                    const gaspi_number_t num, const gaspi_size_t element_size,
                                    const gaspi_reduce_operation_t reduce_operation,
                                    const gaspi_reduce_state_t reduce_state, const gaspi_group_t group,
                                    const gaspi_timeout_t timeout_ms);

/* Queues. */
gaspi_return_t gaspi_queue_create(gaspi_queue_id_t* const queue, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_queue_delete(const gaspi_queue_id_t queue);
gaspi_return_t gaspi_queue_purge(const gaspi_queue_id_t queue, const gaspi_timeout_t timeout_ms);
gaspi_return_t pgaspi_queue_purge(const gaspi_queue_id_t queue, const gaspi_timeout_t timeout_ms);
gaspi_return_t gaspi_queue_size(const gaspi_queue_id_t queue, gaspi_number_t* const queue_size);
gaspi_return_t gaspi_queue_num(gaspi_number_t* const queue_num);
gaspi_return_t gaspi_queue_max(gaspi_number_t* const queue_max);
gaspi_return_t gaspi_queue_size_max(gaspi_number_t* const queue_size_max);

/* Limits, as set by the configuration. */
gaspi_return_t gaspi_transfer_size_min(gaspi_size_t* const transfer_size_min);
gaspi_return_t gaspi_transfer_size_max(gaspi_size_t* const transfer_size_max);
gaspi_return_t gaspi_notification_num(gaspi_number_t* const notification_num);
gaspi_return_t gaspi_passive_transfer_size_min(gaspi_size_t* const passive_transfer_size_min);
gaspi_return_t gaspi_passive_transfer_size_max(gaspi_size_t* const passive_transfer_size_max);
gaspi_return_t gaspi_atomic_max(gaspi_atomic_value_t* max_value);
gaspi_return_t gaspi_allreduce_buf_size(gaspi_size_t* const buf_size);
gaspi_return_t gaspi_allreduce_elem_max(gaspi_number_t* const elem_max);
gaspi_return_t gaspi_network_type(gaspi_network_t* const network_type);
gaspi_return_t gaspi_build_infrastructure(gaspi_number_t* const build);

gaspi_return_t gaspi_time_ticks(gaspi_cycles_t* const ticks);
gaspi_return_t gaspi_time_get(gaspi_time_t* const wtime); /* milliseconds since the program began */

/* Allocates a text for the error number. The caller frees it with free(). */
gaspi_return_t gaspi_print_error(gaspi_return_t error_code, gaspi_string_t* error_message);
/* Writes one gaspi_state_t for each rank to the caller's memory. */
gaspi_return_t gaspi_state_vec_get(gaspi_state_vector_t state_vector);

/* Counters. A counter counts if the verbosity level is at least that of the counter. */
gaspi_return_t gaspi_statistic_verbosity_level(gaspi_number_t verbosity_level);
gaspi_return_t gaspi_statistic_counter_max(gaspi_number_t* counter_max);
gaspi_return_t gaspi_statistic_counter_info(gaspi_statistic_counter_t counter,
                                            gaspi_statistic_argument_t* counter_argument, gaspi_string_t* counter_name,
                                            gaspi_string_t* counter_description, gaspi_number_t* verbosity_level);
gaspi_return_t gaspi_statistic_counter_get(gaspi_statistic_counter_t counter, gaspi_number_t argument,
                                           unsigned long* value);
gaspi_return_t gaspi_statistic_counter_reset(gaspi_statistic_counter_t counter);

/* In the GASPI standard, but not in GPI-2. It does nothing, and may be called at any time; a tool that defines it
   gives its argument a meaning. */
gaspi_return_t gaspi_pcontrol(gaspi_pointer_t argument);

#ifdef __cplusplus
}
#endif

#endif
