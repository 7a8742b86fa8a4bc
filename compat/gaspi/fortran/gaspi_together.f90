! Processes, groups, segments and collectives: what else takes a time limit.
module gaspi_together
  use, intrinsic :: iso_c_binding
  use gaspi_types
  implicit none

  private :: c_gaspi_proc_init, c_gaspi_proc_term, c_gaspi_proc_kill, c_gaspi_connect, c_gaspi_disconnect, &
    & c_gaspi_group_commit, c_gaspi_segment_register, c_gaspi_segment_create, c_gaspi_segment_use, &
    & c_gaspi_barrier, c_gaspi_allreduce, c_gaspi_allreduce_user

  interface
    function c_gaspi_proc_init(timeout_ms) result(res) bind(c, name="gaspi_proc_init")
      import
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_proc_term(timeout_ms) result(res) bind(c, name="gaspi_proc_term")
      import
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_proc_kill(rank, timeout_ms) result(res) bind(c, name="gaspi_proc_kill")
      import
      integer(gaspi_rank_t), value :: rank
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_connect(rank, timeout_ms) result(res) bind(c, name="gaspi_connect")
      import
      integer(gaspi_rank_t), value :: rank
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_disconnect(rank, timeout_ms) result(res) bind(c, name="gaspi_disconnect")
      import
      integer(gaspi_rank_t), value :: rank
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_group_commit(group, timeout_ms) result(res) bind(c, name="gaspi_group_commit")
      import
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_segment_register(segment_id, rank, &
        & timeout_ms) result(res) bind(c, name="gaspi_segment_register")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_rank_t), value :: rank
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_segment_create(segment_id, size, group, timeout_ms, &
        & alloc_policy) result(res) bind(c, name="gaspi_segment_create")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_size_t), value :: size
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout_ms
      integer(gaspi_alloc_t), value :: alloc_policy
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_segment_use(segment_id, pointer, size, group, timeout, &
        & memory_description) result(res) bind(c, name="gaspi_segment_use")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      type(c_ptr), value :: pointer
      integer(gaspi_size_t), value :: size
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout
      integer(gaspi_memory_description_t), value :: memory_description
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_barrier(group, timeout_ms) result(res) bind(c, name="gaspi_barrier")
      import
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_allreduce(buffer_send, buffer_receive, num, operation, datatyp, group, &
        & timeout_ms) result(res) bind(c, name="gaspi_allreduce")
      import
      type(c_ptr), value :: buffer_send
      type(c_ptr), value :: buffer_receive
      integer(gaspi_number_t), value :: num
      integer(gaspi_int), value :: operation
      integer(gaspi_int), value :: datatyp
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_allreduce_user(buffer_send, buffer_receive, num, element_size, reduce_operation, &
        & reduce_state, group, timeout_ms) result(res) bind(c, name="gaspi_allreduce_user")
      import
      type(c_ptr), value :: buffer_send
      type(c_ptr), value :: buffer_receive
      integer(gaspi_number_t), value :: num
      integer(gaspi_size_t), value :: element_size
      type(c_funptr), value :: reduce_operation
      type(c_ptr), value :: reduce_state
      integer(gaspi_group_t), value :: group
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
  end interface

contains

  function gaspi_proc_init(timeout_ms) result(res)
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_proc_init(int(timeout_ms, c_long))
  end function

  function gaspi_proc_term(timeout_ms) result(res)
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_proc_term(int(timeout_ms, c_long))
  end function

  function gaspi_proc_kill(rank, timeout_ms) result(res)
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_proc_kill(rank, int(timeout_ms, c_long))
  end function

  function gaspi_connect(rank, timeout_ms) result(res)
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_connect(rank, int(timeout_ms, c_long))
  end function

  function gaspi_disconnect(rank, timeout_ms) result(res)
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_disconnect(rank, int(timeout_ms, c_long))
  end function

  function gaspi_group_commit(group, timeout_ms) result(res)
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_group_commit(group, int(timeout_ms, c_long))
  end function

  function gaspi_segment_register(segment_id, rank, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_segment_register(segment_id, rank, int(timeout_ms, c_long))
  end function

  function gaspi_segment_create(segment_id, size, group, timeout_ms, alloc_policy) result(res)
    integer(gaspi_segment_id_t), value :: segment_id
    integer(gaspi_size_t), value :: size
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_alloc_t), value :: alloc_policy
    integer(gaspi_return_t) :: res
    res = c_gaspi_segment_create(segment_id, size, group, int(timeout_ms, c_long), alloc_policy)
  end function

  function gaspi_segment_use(segment_id, pointer, size, group, timeout, memory_description) result(res)
    integer(gaspi_segment_id_t), value :: segment_id
    type(c_ptr), value :: pointer
    integer(gaspi_size_t), value :: size
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout
    integer(gaspi_memory_description_t), value :: memory_description
    integer(gaspi_return_t) :: res
    res = c_gaspi_segment_use(segment_id, pointer, size, group, int(timeout, c_long), memory_description)
  end function

  function gaspi_barrier(group, timeout_ms) result(res)
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_barrier(group, int(timeout_ms, c_long))
  end function

  function gaspi_allreduce(buffer_send, buffer_receive, num, operation, datatyp, group, &
        & timeout_ms) result(res)
    type(c_ptr), value :: buffer_send
    type(c_ptr), value :: buffer_receive
    integer(gaspi_number_t), value :: num
    integer(gaspi_int), value :: operation
    integer(gaspi_int), value :: datatyp
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_allreduce(buffer_send, buffer_receive, num, operation, datatyp, group, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_allreduce_user(buffer_send, buffer_receive, num, element_size, reduce_operation, &
        & reduce_state, group, timeout_ms) result(res)
    type(c_ptr), value :: buffer_send
    type(c_ptr), value :: buffer_receive
    integer(gaspi_number_t), value :: num
    integer(gaspi_size_t), value :: element_size
    type(c_funptr), value :: reduce_operation
    type(c_ptr), value :: reduce_state
    integer(gaspi_group_t), value :: group
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_allreduce_user(buffer_send, buffer_receive, num, element_size, reduce_operation, &
        & reduce_state, group, int(timeout_ms, c_long))
  end function
end module
