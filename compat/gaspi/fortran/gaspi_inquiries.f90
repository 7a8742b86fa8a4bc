! What takes no time limit.
module gaspi_inquiries
  use, intrinsic :: iso_c_binding
  use gaspi_types
  use gaspi_constants, only: gaspi_config_t
  implicit none

  interface
    function gaspi_config_get(config) result(res) bind(c, name="gaspi_config_get")
      import
      type(gaspi_config_t) :: config
      integer(gaspi_return_t) :: res
    end function
    function gaspi_config_set(new_config) result(res) bind(c, name="gaspi_config_set")
      import
      type(gaspi_config_t), value :: new_config
      integer(gaspi_return_t) :: res
    end function
    function gaspi_version(version) result(res) bind(c, name="gaspi_version")
      import
      real(gaspi_float) :: version
      integer(gaspi_return_t) :: res
    end function
    function gaspi_proc_rank(rank) result(res) bind(c, name="gaspi_proc_rank")
      import
      integer(gaspi_rank_t) :: rank
      integer(gaspi_return_t) :: res
    end function
    function gaspi_proc_num(proc_num) result(res) bind(c, name="gaspi_proc_num")
      import
      integer(gaspi_rank_t) :: proc_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_create(group) result(res) bind(c, name="gaspi_group_create")
      import
      integer(gaspi_group_t) :: group
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_delete(group) result(res) bind(c, name="gaspi_group_delete")
      import
      integer(gaspi_group_t), value :: group
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_add(group, rank) result(res) bind(c, name="gaspi_group_add")
      import
      integer(gaspi_group_t), value :: group
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_num(group_num) result(res) bind(c, name="gaspi_group_num")
      import
      integer(gaspi_number_t) :: group_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_size(group, group_size) result(res) bind(c, name="gaspi_group_size")
      import
      integer(gaspi_group_t), value :: group
      integer(gaspi_number_t) :: group_size
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_ranks(group, group_ranks) result(res) bind(c, name="gaspi_group_ranks")
      import
      integer(gaspi_group_t), value :: group
      type(c_ptr), value :: group_ranks
      integer(gaspi_return_t) :: res
    end function
    function gaspi_group_max(group_max) result(res) bind(c, name="gaspi_group_max")
      import
      integer(gaspi_number_t) :: group_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_alloc(segment_id, size, &
        & alloc_policy) result(res) bind(c, name="gaspi_segment_alloc")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_size_t), value :: size
      integer(gaspi_alloc_t), value :: alloc_policy
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_delete(segment_id) result(res) bind(c, name="gaspi_segment_delete")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_bind(segment_id, pointer, size, &
        & memory_description) result(res) bind(c, name="gaspi_segment_bind")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      type(c_ptr), value :: pointer
      integer(gaspi_size_t), value :: size
      integer(gaspi_memory_description_t), value :: memory_description
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_num(segment_num) result(res) bind(c, name="gaspi_segment_num")
      import
      integer(gaspi_number_t) :: segment_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_list(num, segment_id_list) result(res) bind(c, name="gaspi_segment_list")
      import
      integer(gaspi_number_t), value :: num
      type(c_ptr), value :: segment_id_list
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_ptr(segment_id, ptr) result(res) bind(c, name="gaspi_segment_ptr")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      type(c_ptr) :: ptr
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_max(segment_max) result(res) bind(c, name="gaspi_segment_max")
      import
      integer(gaspi_number_t) :: segment_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_notify_reset(segment_id_local, notification_id, &
        & old_notification_val) result(res) bind(c, name="gaspi_notify_reset")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_notification_t) :: old_notification_val
      integer(gaspi_return_t) :: res
    end function
    function gaspi_queue_delete(queue) result(res) bind(c, name="gaspi_queue_delete")
      import
      integer(gaspi_queue_id_t), value :: queue
      integer(gaspi_return_t) :: res
    end function
    function gaspi_queue_size(queue, queue_size) result(res) bind(c, name="gaspi_queue_size")
      import
      integer(gaspi_queue_id_t), value :: queue
      integer(gaspi_number_t) :: queue_size
      integer(gaspi_return_t) :: res
    end function
    function gaspi_queue_num(queue_num) result(res) bind(c, name="gaspi_queue_num")
      import
      integer(gaspi_number_t) :: queue_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_queue_max(queue_max) result(res) bind(c, name="gaspi_queue_max")
      import
      integer(gaspi_number_t) :: queue_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_queue_size_max(queue_size_max) result(res) bind(c, name="gaspi_queue_size_max")
      import
      integer(gaspi_number_t) :: queue_size_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_transfer_size_min(transfer_size_min) result(res) bind(c, name="gaspi_transfer_size_min")
      import
      integer(gaspi_size_t) :: transfer_size_min
      integer(gaspi_return_t) :: res
    end function
    function gaspi_transfer_size_max(transfer_size_max) result(res) bind(c, name="gaspi_transfer_size_max")
      import
      integer(gaspi_size_t) :: transfer_size_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_notification_num(notification_num) result(res) bind(c, name="gaspi_notification_num")
      import
      integer(gaspi_number_t) :: notification_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_passive_transfer_size_min( &
        & passive_transfer_size_min) result(res) bind(c, name="gaspi_passive_transfer_size_min")
      import
      integer(gaspi_size_t) :: passive_transfer_size_min
      integer(gaspi_return_t) :: res
    end function
    function gaspi_passive_transfer_size_max( &
        & passive_transfer_size_max) result(res) bind(c, name="gaspi_passive_transfer_size_max")
      import
      integer(gaspi_size_t) :: passive_transfer_size_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_atomic_max(max_value) result(res) bind(c, name="gaspi_atomic_max")
      import
      integer(gaspi_atomic_value_t) :: max_value
      integer(gaspi_return_t) :: res
    end function
    function gaspi_allreduce_buf_size(buf_size) result(res) bind(c, name="gaspi_allreduce_buf_size")
      import
      integer(gaspi_size_t) :: buf_size
      integer(gaspi_return_t) :: res
    end function
    function gaspi_allreduce_elem_max(elem_max) result(res) bind(c, name="gaspi_allreduce_elem_max")
      import
      integer(gaspi_number_t) :: elem_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_network_type(network_type) result(res) bind(c, name="gaspi_network_type")
      import
      integer(gaspi_int) :: network_type
      integer(gaspi_return_t) :: res
    end function
    function gaspi_build_infrastructure(build) result(res) bind(c, name="gaspi_build_infrastructure")
      import
      integer(gaspi_number_t) :: build
      integer(gaspi_return_t) :: res
    end function
    function gaspi_time_ticks(ticks) result(res) bind(c, name="gaspi_time_ticks")
      import
      integer(gaspi_cycles_t) :: ticks
      integer(gaspi_return_t) :: res
    end function
    function gaspi_time_get(wtime) result(res) bind(c, name="gaspi_time_get")
      import
      real(gaspi_float) :: wtime
      integer(gaspi_return_t) :: res
    end function
    function gaspi_print_error(error_code, error_message) result(res) bind(c, name="gaspi_print_error")
      import
      integer(gaspi_return_t), value :: error_code
      type(c_ptr) :: error_message
      integer(gaspi_return_t) :: res
    end function
    function gaspi_state_vec_get(state_vector) result(res) bind(c, name="gaspi_state_vec_get")
      import
      type(c_ptr), value :: state_vector
      integer(gaspi_return_t) :: res
    end function
    function gaspi_statistic_verbosity_level( &
        & verbosity_level) result(res) bind(c, name="gaspi_statistic_verbosity_level")
      import
      integer(gaspi_number_t), value :: verbosity_level
      integer(gaspi_return_t) :: res
    end function
    function gaspi_statistic_counter_max(counter_max) result(res) bind(c, name="gaspi_statistic_counter_max")
      import
      integer(gaspi_number_t) :: counter_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_statistic_counter_info(counter, counter_argument, counter_name, counter_description, &
        & verbosity_level) result(res) bind(c, name="gaspi_statistic_counter_info")
      import
      integer(gaspi_statistic_counter_t), value :: counter
      integer(gaspi_int) :: counter_argument
      type(c_ptr) :: counter_name
      type(c_ptr) :: counter_description
      integer(gaspi_number_t) :: verbosity_level
      integer(gaspi_return_t) :: res
    end function
    function gaspi_statistic_counter_get(counter, argument, &
        & value) result(res) bind(c, name="gaspi_statistic_counter_get")
      import
      integer(gaspi_statistic_counter_t), value :: counter
      integer(gaspi_number_t), value :: argument
      integer(gaspi_long) :: value
      integer(gaspi_return_t) :: res
    end function
    function gaspi_statistic_counter_reset(counter) result(res) bind(c, name="gaspi_statistic_counter_reset")
      import
      integer(gaspi_statistic_counter_t), value :: counter
      integer(gaspi_return_t) :: res
    end function
    function gaspi_pcontrol(argument) result(res) bind(c, name="gaspi_pcontrol")
      import
      type(c_ptr), value :: argument
      integer(gaspi_return_t) :: res
    end function
  end interface
end module
