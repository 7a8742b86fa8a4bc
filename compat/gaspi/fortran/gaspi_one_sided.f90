! Writes, reads, notifications, passive messages and atomic operations. Time limits are of c_int here and of c_long in C, so
! that what takes one is a function of this module.
module gaspi_one_sided
  use, intrinsic :: iso_c_binding
  use gaspi_types
  implicit none

  private :: c_gaspi_write, c_gaspi_read, c_gaspi_write_list, c_gaspi_read_list, c_gaspi_wait, &
    & c_gaspi_notify, c_gaspi_notify_waitsome, c_gaspi_write_notify, c_gaspi_write_list_notify, &
    & c_gaspi_read_notify, c_gaspi_read_list_notify, c_gaspi_passive_send, c_gaspi_passive_receive, &
    & c_gaspi_atomic_fetch_add, c_gaspi_atomic_compare_swap, c_gaspi_queue_create, c_gaspi_queue_purge

  interface
    function c_gaspi_write(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & queue, timeout_ms) result(res) bind(c, name="gaspi_write")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_segment_id_t), value :: segment_id_remote
      integer(gaspi_offset_t), value :: offset_remote
      integer(gaspi_size_t), value :: size
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_read(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & queue, timeout_ms) result(res) bind(c, name="gaspi_read")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_segment_id_t), value :: segment_id_remote
      integer(gaspi_offset_t), value :: offset_remote
      integer(gaspi_size_t), value :: size
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_write_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, queue, timeout_ms) result(res) bind(c, name="gaspi_write_list")
      import
      integer(gaspi_number_t), value :: num
      type(c_ptr), value :: segment_id_local
      type(c_ptr), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      type(c_ptr), value :: segment_id_remote
      type(c_ptr), value :: offset_remote
      type(c_ptr), value :: size
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_read_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, queue, timeout_ms) result(res) bind(c, name="gaspi_read_list")
      import
      integer(gaspi_number_t), value :: num
      type(c_ptr), value :: segment_id_local
      type(c_ptr), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      type(c_ptr), value :: segment_id_remote
      type(c_ptr), value :: offset_remote
      type(c_ptr), value :: size
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_wait(queue, timeout_ms) result(res) bind(c, name="gaspi_wait")
      import
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_notify(segment_id_remote, rank, notification_id, notification_value, queue, &
        & timeout_ms) result(res) bind(c, name="gaspi_notify")
      import
      integer(gaspi_segment_id_t), value :: segment_id_remote
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_notification_t), value :: notification_value
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_notify_waitsome(segment_id_local, notification_begin, num, first_id, &
        & timeout_ms) result(res) bind(c, name="gaspi_notify_waitsome")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_notification_id_t), value :: notification_begin
      integer(gaspi_number_t), value :: num
      integer(gaspi_notification_id_t) :: first_id
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_write_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, notification_id, notification_value, queue, &
        & timeout_ms) result(res) bind(c, name="gaspi_write_notify")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_segment_id_t), value :: segment_id_remote
      integer(gaspi_offset_t), value :: offset_remote
      integer(gaspi_size_t), value :: size
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_notification_t), value :: notification_value
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_write_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, notification_value, queue, &
        & timeout_ms) result(res) bind(c, name="gaspi_write_list_notify")
      import
      integer(gaspi_number_t), value :: num
      type(c_ptr), value :: segment_id_local
      type(c_ptr), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      type(c_ptr), value :: segment_id_remote
      type(c_ptr), value :: offset_remote
      type(c_ptr), value :: size
      integer(gaspi_segment_id_t), value :: segment_id_notification
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_notification_t), value :: notification_value
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_read_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, notification_id, queue, timeout_ms) result(res) bind(c, name="gaspi_read_notify")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_segment_id_t), value :: segment_id_remote
      integer(gaspi_offset_t), value :: offset_remote
      integer(gaspi_size_t), value :: size
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_read_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, queue, &
        & timeout_ms) result(res) bind(c, name="gaspi_read_list_notify")
      import
      integer(gaspi_number_t), value :: num
      type(c_ptr), value :: segment_id_local
      type(c_ptr), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      type(c_ptr), value :: segment_id_remote
      type(c_ptr), value :: offset_remote
      type(c_ptr), value :: size
      integer(gaspi_segment_id_t), value :: segment_id_notification
      integer(gaspi_notification_id_t), value :: notification_id
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_passive_send(segment_id_local, offset_local, rank, size, &
        & timeout_ms) result(res) bind(c, name="gaspi_passive_send")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_size_t), value :: size
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_passive_receive(segment_id_local, offset_local, rem_rank, size, &
        & timeout_ms) result(res) bind(c, name="gaspi_passive_receive")
      import
      integer(gaspi_segment_id_t), value :: segment_id_local
      integer(gaspi_offset_t), value :: offset_local
      integer(gaspi_rank_t) :: rem_rank
      integer(gaspi_size_t), value :: size
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_atomic_fetch_add(segment_id, offset, rank, val_add, val_old, &
        & timeout_ms) result(res) bind(c, name="gaspi_atomic_fetch_add")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_offset_t), value :: offset
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_atomic_value_t), value :: val_add
      integer(gaspi_atomic_value_t) :: val_old
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_atomic_compare_swap(segment_id, offset, rank, comparator, val_new, val_old, &
        & timeout_ms) result(res) bind(c, name="gaspi_atomic_compare_swap")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_offset_t), value :: offset
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_atomic_value_t), value :: comparator
      integer(gaspi_atomic_value_t), value :: val_new
      integer(gaspi_atomic_value_t) :: val_old
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_queue_create(queue, timeout_ms) result(res) bind(c, name="gaspi_queue_create")
      import
      integer(gaspi_queue_id_t) :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_queue_purge(queue, timeout_ms) result(res) bind(c, name="gaspi_queue_purge")
      import
      integer(gaspi_queue_id_t), value :: queue
      integer(c_long), value :: timeout_ms
      integer(gaspi_return_t) :: res
    end function
  end interface

contains

  function gaspi_write(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, queue, &
        & timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_segment_id_t), value :: segment_id_remote
    integer(gaspi_offset_t), value :: offset_remote
    integer(gaspi_size_t), value :: size
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_write(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, queue, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_read(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, queue, &
        & timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_segment_id_t), value :: segment_id_remote
    integer(gaspi_offset_t), value :: offset_remote
    integer(gaspi_size_t), value :: size
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_read(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, queue, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_write_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, queue, timeout_ms) result(res)
    integer(gaspi_number_t), value :: num
    type(c_ptr), value :: segment_id_local
    type(c_ptr), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    type(c_ptr), value :: segment_id_remote
    type(c_ptr), value :: offset_remote
    type(c_ptr), value :: size
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_write_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, queue, int(timeout_ms, c_long))
  end function

  function gaspi_read_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & queue, timeout_ms) result(res)
    integer(gaspi_number_t), value :: num
    type(c_ptr), value :: segment_id_local
    type(c_ptr), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    type(c_ptr), value :: segment_id_remote
    type(c_ptr), value :: offset_remote
    type(c_ptr), value :: size
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_read_list(num, segment_id_local, offset_local, rank, segment_id_remote, offset_remote, &
        & size, queue, int(timeout_ms, c_long))
  end function

  function gaspi_wait(queue, timeout_ms) result(res)
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_wait(queue, int(timeout_ms, c_long))
  end function

  function gaspi_notify(segment_id_remote, rank, notification_id, notification_value, queue, &
        & timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_remote
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_notification_id_t), value :: notification_id
    integer(gaspi_notification_t), value :: notification_value
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_notify(segment_id_remote, rank, notification_id, notification_value, queue, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_notify_waitsome(segment_id_local, notification_begin, num, first_id, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_notification_id_t), value :: notification_begin
    integer(gaspi_number_t), value :: num
    integer(gaspi_notification_id_t) :: first_id
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_notify_waitsome(segment_id_local, notification_begin, num, first_id, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_write_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & notification_id, notification_value, queue, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_segment_id_t), value :: segment_id_remote
    integer(gaspi_offset_t), value :: offset_remote
    integer(gaspi_size_t), value :: size
    integer(gaspi_notification_id_t), value :: notification_id
    integer(gaspi_notification_t), value :: notification_value
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_write_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & notification_id, notification_value, queue, int(timeout_ms, c_long))
  end function

  function gaspi_write_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, notification_value, queue, &
        & timeout_ms) result(res)
    integer(gaspi_number_t), value :: num
    type(c_ptr), value :: segment_id_local
    type(c_ptr), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    type(c_ptr), value :: segment_id_remote
    type(c_ptr), value :: offset_remote
    type(c_ptr), value :: size
    integer(gaspi_segment_id_t), value :: segment_id_notification
    integer(gaspi_notification_id_t), value :: notification_id
    integer(gaspi_notification_t), value :: notification_value
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_write_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, notification_value, queue, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_read_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & notification_id, queue, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_segment_id_t), value :: segment_id_remote
    integer(gaspi_offset_t), value :: offset_remote
    integer(gaspi_size_t), value :: size
    integer(gaspi_notification_id_t), value :: notification_id
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_read_notify(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, &
        & notification_id, queue, int(timeout_ms, c_long))
  end function

  function gaspi_read_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, queue, timeout_ms) result(res)
    integer(gaspi_number_t), value :: num
    type(c_ptr), value :: segment_id_local
    type(c_ptr), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    type(c_ptr), value :: segment_id_remote
    type(c_ptr), value :: offset_remote
    type(c_ptr), value :: size
    integer(gaspi_segment_id_t), value :: segment_id_notification
    integer(gaspi_notification_id_t), value :: notification_id
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_read_list_notify(num, segment_id_local, offset_local, rank, segment_id_remote, &
        & offset_remote, size, segment_id_notification, notification_id, queue, int(timeout_ms, c_long))
  end function

  function gaspi_passive_send(segment_id_local, offset_local, rank, size, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_size_t), value :: size
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_passive_send(segment_id_local, offset_local, rank, size, int(timeout_ms, c_long))
  end function

  function gaspi_passive_receive(segment_id_local, offset_local, rem_rank, size, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id_local
    integer(gaspi_offset_t), value :: offset_local
    integer(gaspi_rank_t) :: rem_rank
    integer(gaspi_size_t), value :: size
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_passive_receive(segment_id_local, offset_local, rem_rank, size, int(timeout_ms, c_long))
  end function

  function gaspi_atomic_fetch_add(segment_id, offset, rank, val_add, val_old, timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id
    integer(gaspi_offset_t), value :: offset
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_atomic_value_t), value :: val_add
    integer(gaspi_atomic_value_t) :: val_old
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_atomic_fetch_add(segment_id, offset, rank, val_add, val_old, int(timeout_ms, c_long))
  end function

  function gaspi_atomic_compare_swap(segment_id, offset, rank, comparator, val_new, val_old, &
        & timeout_ms) result(res)
    integer(gaspi_segment_id_t), value :: segment_id
    integer(gaspi_offset_t), value :: offset
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_atomic_value_t), value :: comparator
    integer(gaspi_atomic_value_t), value :: val_new
    integer(gaspi_atomic_value_t) :: val_old
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_atomic_compare_swap(segment_id, offset, rank, comparator, val_new, val_old, &
        & int(timeout_ms, c_long))
  end function

  function gaspi_queue_create(queue, timeout_ms) result(res)
    integer(gaspi_queue_id_t) :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_queue_create(queue, int(timeout_ms, c_long))
  end function

  function gaspi_queue_purge(queue, timeout_ms) result(res)
    integer(gaspi_queue_id_t), value :: queue
    integer(gaspi_timeout_t), value :: timeout_ms
    integer(gaspi_return_t) :: res
    res = c_gaspi_queue_purge(queue, int(timeout_ms, c_long))
  end function
end module
