!> Segments: memory of each rank that the other ranks write to and read from without its help, with notifications. docs/notify.md
!> says what is ordered. Places are in bytes from 0, and notifications count from 0, as in C. wherry_interface has
!> what these procedures do not.
module wherry_segments
  use, intrinsic :: iso_c_binding, only: c_int, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use wherry_errors, only: settle, text_of
  use wherry_handles
  use wherry_interface
  use wherry_options
  use wherry_time_limits, only: seconds_for_c
  use wherry_view_types, only: bytes_of, wherry_view
  implicit none
  private
  public :: wherry_segment_create, wherry_segment_create_in, wherry_segment_memory, wherry_segment_memory_of
  public :: wherry_segment_write, wherry_segment_read, wherry_segment_notify, wherry_segment_write_notify
  public :: wherry_segment_read_notify, wherry_segment_flush, wherry_segment_wait_some, wherry_segment_wait
  public :: wherry_segment_value, wherry_segment_reset, wherry_segment_fetch_add, wherry_segment_compare_swap
  public :: wherry_segment_explain, wherry_segment_queue_create, wherry_segment_queue_wait

  !> Options of a segment.
  type, public :: wherry_segment_options
    integer :: notifications = 0 !< number of notifications of each rank, the same on all ranks; 0: 1024
    logical :: not_counted = .false. !< WHERRY_STATS and WHERRY_TRACE do not report the segment
    character(WHERRY_MAX_NAME) :: name = '' !< for errors, texts, statistics and traces
  end type

contains

  function queue_of(queue) result(handle)
    type(wherry_segment_queue), intent(in), optional :: queue
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(queue)) handle = queue%c_handle
  end function

  !> Makes `bytes` bytes of zeros on this rank, in memory that the ranks of the node share. Collective over `comm`.
  subroutine wherry_segment_create(comm, bytes, segment, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), intent(in) :: bytes
    type(wherry_segment), intent(inout) :: segment
    type(wherry_segment_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_segment_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_segment_free(segment, status)
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      how%notifications = int(options%notifications, c_int)
      how%not_counted = merge(1_c_int, 0_c_int, options%not_counted)
      how%name = put_name(options%name, names%name)
    end if
    status = c_segment_create(comm%c_handle, bytes, c_loc(how), segment%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> The same in an array of the program's, whose elements lie side by side, and which must outlive the segment.
  subroutine wherry_segment_create_in(comm, array, segment, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_view), intent(in) :: array
    type(wherry_segment), intent(inout) :: segment
    type(wherry_segment_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_segment_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_segment_free(segment, status)
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      how%notifications = int(options%notifications, c_int)
      how%not_counted = merge(1_c_int, 0_c_int, options%not_counted)
      how%name = put_name(options%name, names%name)
    end if
    status = c_segment_create_in(comm%c_handle, array%c%data, bytes_of(array), c_loc(how), segment%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> This rank's part. Local.
  subroutine wherry_segment_memory(segment, address, bytes, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    type(c_ptr), intent(out) :: address
    integer(int64), intent(out) :: bytes
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    address = c_null_ptr
    bytes = 0
    status = c_segment_memory(segment%c_handle, address, bytes)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Another rank's part, to be read or written in place; null if this rank does not see it in its memory. Local.
  subroutine wherry_segment_memory_of(segment, rank, address, bytes, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: rank
    type(c_ptr), intent(out) :: address
    integer(int64), intent(out) :: bytes
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    address = c_null_ptr
    bytes = 0
    status = c_segment_memory_of(segment%c_handle, int(rank, c_int), address, bytes)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Writes an array to the part of rank `to`, from byte `at` on. Elsewhere than in shared memory it is complete
  !> after wherry_segment_flush or wherry_segment_queue_wait.
  subroutine wherry_segment_write(segment, to, at, array, queue, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: to
    integer(int64), intent(in) :: at
    type(wherry_view), intent(in) :: array
    type(wherry_segment_queue), intent(in), optional :: queue
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_write(segment%c_handle, int(to, c_int), at, array%c%data, bytes_of(array), queue_of(queue))
    call settle(status, ierror, errmsg)
  end subroutine

  !> Reads an array from the part of rank `from`, from byte `at` on.
  subroutine wherry_segment_read(segment, from, at, array, queue, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: from
    integer(int64), intent(in) :: at
    type(wherry_view), intent(in) :: array
    type(wherry_segment_queue), intent(in), optional :: queue
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_read(segment%c_handle, int(from, c_int), at, array%c%data, bytes_of(array), queue_of(queue))
    call settle(status, ierror, errmsg)
  end subroutine

  !> Sends notification `id` with a value that is not 0. It becomes visible after all data that this rank wrote there before.
  subroutine wherry_segment_notify(segment, to, id, value, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: to, id
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_notify(segment%c_handle, int(to, c_int), int(id, c_int), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Writes an array, and then sends a notification, which the target sees after the data.
  subroutine wherry_segment_write_notify(segment, to, at, array, id, value, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: to
    integer(int64), intent(in) :: at
    type(wherry_view), intent(in) :: array
    integer, intent(in) :: id
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_write_notify(segment%c_handle, int(to, c_int), at, array%c%data, bytes_of(array), &
      int(id, c_int), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Reads an array. This rank then gets the notification itself.
  subroutine wherry_segment_read_notify(segment, from, at, array, id, value, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: from
    integer(int64), intent(in) :: at
    type(wherry_view), intent(in) :: array
    integer, intent(in) :: id
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_read_notify(segment%c_handle, int(from, c_int), at, array%c%data, bytes_of(array), &
      int(id, c_int), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Completes all writes and reads of this rank that were not given to a queue.
  subroutine wherry_segment_flush(segment, done, seconds, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_segment_flush(segment%c_handle, seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> Waits for any of the notifications first to first + count - 1, and leaves it; -1 if none came in time.
  subroutine wherry_segment_wait_some(segment, first, count, id, seconds, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: first, count
    integer, intent(out) :: id
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, found
    found = -1
    status = c_segment_wait_some(segment%c_handle, int(first, c_int), int(count, c_int), seconds_for_c(seconds), found)
    id = int(found)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Waits for one notification and takes it; 0 if it did not come in time.
  subroutine wherry_segment_wait(segment, id, value, seconds, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: id
    integer(int32), intent(out) :: value
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    value = 0
    status = c_segment_wait(segment%c_handle, int(id, c_int), seconds_for_c(seconds), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> The value of a notification, which stays; 0 if there is none.
  subroutine wherry_segment_value(segment, id, value, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: id
    integer(int32), intent(out) :: value
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    value = 0
    status = c_segment_value(segment%c_handle, int(id, c_int), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Takes a notification; 0 if there is none.
  subroutine wherry_segment_reset(segment, id, value, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: id
    integer(int32), intent(out) :: value
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    value = 0
    status = c_segment_reset(segment%c_handle, int(id, c_int), value)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Adds to the 8-byte word at `at`, a multiple of 8, of a rank's part, atomically, and gives the value before.
  subroutine wherry_segment_fetch_add(segment, on, at, value, old, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: on
    integer(int64), intent(in) :: at, value
    integer(int64), intent(out) :: old
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    old = 0
    status = c_segment_fetch_add(segment%c_handle, int(on, c_int), at, value, old)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Sets the word to `desired` if it is `expected`, atomically, and gives the value before.
  subroutine wherry_segment_compare_swap(segment, on, at, expected, desired, old, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    integer, intent(in) :: on
    integer(int64), intent(in) :: at, expected, desired
    integer(int64), intent(out) :: old
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    old = 0
    status = c_segment_compare_swap(segment%c_handle, int(on, c_int), at, expected, desired, old)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Says how this rank reaches the others. Local.
  subroutine wherry_segment_explain(segment, text, ierror, errmsg)
    type(wherry_segment), intent(in) :: segment
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_segment_explain(segment%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes a queue. Local.
  subroutine wherry_segment_queue_create(queue, ierror, errmsg)
    type(wherry_segment_queue), intent(inout) :: queue
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_segment_queue_free(queue, status)
    status = c_segment_queue_create(queue%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Waits until all writes and reads of a queue are complete.
  subroutine wherry_segment_queue_wait(queue, done, seconds, ierror, errmsg)
    type(wherry_segment_queue), intent(in) :: queue
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_segment_queue_wait(queue%c_handle, seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

end module
