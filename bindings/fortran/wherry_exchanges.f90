!> Exchanges: whatever was planned and bound once and runs any number of times.
module wherry_exchanges
  use, intrinsic :: iso_c_binding, only: c_int, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use wherry_errors, only: ranks_of, refuse, settle, text_of
  use wherry_handles, only: wherry_exchange
  use wherry_interface
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_exchange_start, wherry_exchange_test, wherry_exchange_wait, wherry_exchange_run
  public :: wherry_exchange_wait_some, wherry_exchange_abandon, wherry_exchange_start_in_parts, wherry_exchange_ready
  public :: wherry_exchange_statistics, wherry_exchange_explain, wherry_exchange_to_json, wherry_exchange_transport
  public :: statistics_from_c

  !> What an exchange has moved on this rank since it was made.
  type, public :: wherry_statistics
    integer(int64) :: exchanges = 0, bytes_sent = 0, bytes_received = 0, bytes_copied = 0
    real(real64) :: seconds_waiting = 0 !< measured only with WHERRY_STATS or WHERRY_TRACE
    real(real64) :: seconds_copying = 0 !< by published layouts and segments; measured likewise
  end type

  !> wherry_exchange_start(exchange [, array] [, ierror] [, errmsg]): begins the exchange, in the memory of the last start,
  !> or of the arrays with which it was made. Does not block. Each rank calls it as often as its peers do. Until the
  !> exchange is complete, what is sent must not be written, and what is received must not be read. `array` is a
  !> wherry_view, or a list with one for each array of the exchange: other memory of the same shape, which Wherry cannot
  !> check.
  interface wherry_exchange_start
    module procedure start_again, start_with_one, start_with
  end interface
  !> wherry_exchange_run(exchange [, array] [, ierror] [, errmsg]): wherry_exchange_start and wherry_exchange_wait.
  interface wherry_exchange_run
    module procedure run_again, run_with_one, run_with
  end interface

contains

  subroutine start_again(exchange, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_start(exchange%c_handle), ierror, errmsg)
  end subroutine
  subroutine start_with_one(exchange, array, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_view), intent(in) :: array
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(status_of_start(exchange, [array]), ierror, errmsg)
  end subroutine
  subroutine start_with(exchange, arrays, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_view), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(status_of_start(exchange, arrays), ierror, errmsg)
  end subroutine
  function status_of_start(exchange, arrays) result(status)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_view), intent(in) :: arrays(:)
    integer(c_int) :: status
    type(c_ptr), target :: addresses(max(size(arrays), 1))
    integer :: i
    do i = 1, size(arrays)
      addresses(i) = arrays(i)%c%data
      if (fault_of(arrays(i)) /= '') then
        status = refuse('wherry_exchange_start', 'an array is wrong: ' // fault_of(arrays(i)))
        return
      end if
    end do
    status = c_exchange_start_with(exchange%c_handle, size(arrays, kind=c_int), c_loc(addresses))
  end function

  subroutine run_again(exchange, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_run(exchange%c_handle), ierror, errmsg)
  end subroutine
  subroutine run_with_one(exchange, array, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_view), intent(in) :: array
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call run_with(exchange, [array], ierror, errmsg)
  end subroutine
  subroutine run_with(exchange, arrays, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_view), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = status_of_start(exchange, arrays)
    if (status == 0) status = c_exchange_wait(exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes progress. `done` tells whether the exchange is complete.
  subroutine wherry_exchange_test(exchange, done, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_exchange_test(exchange%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> Returns when the exchange is complete. After WHERRY_ERROR_TIMEOUT the call may be repeated, or the exchange abandoned.
  subroutine wherry_exchange_wait(exchange, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_wait(exchange%c_handle), ierror, errmsg)
  end subroutine

  !> Waits until data from some more ranks has arrived, and tells from which; none: the exchange is complete.
  subroutine wherry_exchange_wait_some(exchange, ranks, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, count
    type(c_ptr) :: list
    count = 0
    status = c_exchange_wait_some(exchange%c_handle, list, count)
    call ranks_of(list, merge(count, 0_c_int, status == 0), ranks)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Gives up an exchange in flight: the arrays belong to the program again. Peers complete as if this rank had waited. The
  !> exchange can then only be freed.
  subroutine wherry_exchange_abandon(exchange, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_abandon(exchange%c_handle), ierror, errmsg)
  end subroutine

  !> Begins the exchange, and sends each of the parts that its options name when it is ready.
  subroutine wherry_exchange_start_in_parts(exchange, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_start_in_parts(exchange%c_handle), ierror, errmsg)
  end subroutine
  !> Says that a part, counted from 1, has been computed. Any thread may call it, once a part and start.
  subroutine wherry_exchange_ready(exchange, part, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(in) :: part
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_exchange_ready(exchange%c_handle, int(part - 1, c_int)), ierror, errmsg)
  end subroutine

  subroutine wherry_exchange_statistics(exchange, statistics, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_exchange_statistics(exchange%c_handle, moved)
    statistics = statistics_from_c(moved)
    call settle(status, ierror, errmsg)
  end subroutine
  function statistics_from_c(moved) result(statistics)
    type(c_wherry_statistics), intent(in) :: moved
    type(wherry_statistics) :: statistics
    statistics = wherry_statistics(moved%exchanges, moved%bytes_sent, moved%bytes_received, moved%bytes_copied, &
      moved%seconds_waiting, moved%seconds_copying)
  end function

  !> The plan of this rank as a table that people can read: peers, bytes, blocks, transport. Local.
  subroutine wherry_exchange_explain(exchange, text, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    status = c_exchange_explain(exchange%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The same as JSON.
  subroutine wherry_exchange_to_json(exchange, text, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    status = c_exchange_to_json(exchange%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The name of the transport, or of the two that share the work.
  subroutine wherry_exchange_transport(exchange, text, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    status = c_exchange_transport(exchange%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

end module
