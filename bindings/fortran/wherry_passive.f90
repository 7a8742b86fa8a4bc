!> Passive messages: any rank sends requests to a rank that receives them in a loop, without knowing the senders. Messages of one
!> sender arrive in order. A call with `seconds` ends within that time.
module wherry_passive
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_errors, only: refuse, settle, text_of
  use wherry_exchanges, only: statistics_from_c, wherry_statistics
  use wherry_handles
  use wherry_interface
  use wherry_options, only: WHERRY_MAX_NAME, names_for_c, put_name
  use wherry_time_limits, only: seconds_for_c
  use wherry_view_types, only: bytes_of, wherry_view
  implicit none
  private
  public :: wherry_passive_messages_create, wherry_passive_messages_send, wherry_passive_messages_receive
  public :: wherry_passive_messages_explain, wherry_passive_messages_transport, wherry_passive_messages_statistics

  !> Options of passive messages.
  type, public :: wherry_passive_options
    integer(int64) :: largest = 0 !< size of the largest message in bytes, the same on all ranks; 0: 65,536
    integer :: under_way = 0 !< largest number of this rank's messages in flight, each of which is copied; 0: 64
    character(WHERRY_MAX_NAME) :: name = '' !< for errors
  end type

  character(*), parameter :: apart = '''array'' has elements that do not lie side by side'

contains

  !> Collective over `comm`.
  subroutine wherry_passive_messages_create(comm, messages, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_passive_messages), intent(inout) :: messages
    type(wherry_passive_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_passive_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_passive_messages_free(messages, status)
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      how%largest = options%largest
      how%under_way = int(options%under_way, c_int)
      how%name = put_name(options%name, names%name)
    end if
    call settle(c_passive_messages_create(comm%c_handle, c_loc(how), messages%c_handle), ierror, errmsg)
  end subroutine

  !> Sends a copy of an array, which may be overwritten as soon as the call returns. Waits while too many messages of this
  !> rank are in flight: `done` tells whether there was room in time; if not, nothing was sent. Local.
  subroutine wherry_passive_messages_send(messages, to, array, done, seconds, ierror, errmsg)
    type(wherry_passive_messages), intent(in) :: messages
    integer, intent(in) :: to
    type(wherry_view), intent(in) :: array
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    if (bytes_of(array) < 0) then
      status = refuse('wherry_passive_messages_send', apart)
    else
      status = c_passive_messages_send(messages%c_handle, int(to, c_int), array%c%data, bytes_of(array), &
        seconds_for_c(seconds), complete)
    end if
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> Receives the next message of any rank, this one included, into an array with room for it. `from` is the sender, or -1 if no
  !> message arrived in time. A message that is longer than the array is an error, and the next call receives it. Local.
  subroutine wherry_passive_messages_receive(messages, array, from, bytes, seconds, ierror, errmsg)
    type(wherry_passive_messages), intent(in) :: messages
    type(wherry_view), intent(in) :: array
    integer, intent(out) :: from
    integer(int64), intent(out), optional :: bytes
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, sender
    integer(c_int64_t) :: length
    sender = -1
    length = 0
    if (bytes_of(array) < 0) then
      status = refuse('wherry_passive_messages_receive', apart)
    else
      status = c_passive_messages_receive(messages%c_handle, array%c%data, bytes_of(array), seconds_for_c(seconds), &
        sender, length)
    end if
    from = int(sender)
    if (present(bytes)) bytes = length
    call settle(status, ierror, errmsg)
  end subroutine

  !> What is under way, as a text that people can read. Local.
  subroutine wherry_passive_messages_explain(messages, text, ierror, errmsg)
    type(wherry_passive_messages), intent(in) :: messages
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_passive_messages_explain(messages%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The name of the transport. Local.
  subroutine wherry_passive_messages_transport(messages, text, ierror, errmsg)
    type(wherry_passive_messages), intent(in) :: messages
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_passive_messages_transport(messages%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> What this rank has sent and received. Local.
  subroutine wherry_passive_messages_statistics(messages, statistics, ierror, errmsg)
    type(wherry_passive_messages), intent(in) :: messages
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_passive_messages_statistics(messages%c_handle, moved)
    statistics = statistics_from_c(moved)
    call settle(status, ierror, errmsg)
  end subroutine

end module
