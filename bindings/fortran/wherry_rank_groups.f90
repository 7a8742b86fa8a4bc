!> Groups of ranks: some ranks of a communicator that communicate without the others. Every member adds the same ranks and commits
!> the group; then the members call its collectives, all in the same order. A call with `seconds` ends within that time; `done`
!> then tells whether it was complete, and the same call continues. Until then any other call of the group is an error.
module wherry_rank_groups
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: real64
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_errors, only: for_c, ranks_of, refuse, settle, text_of
  use wherry_exchanges, only: statistics_from_c, wherry_statistics
  use wherry_handles
  use wherry_interface
  use wherry_options, only: names_for_c, reduction_for_c, wherry_reduction
  use wherry_time_limits, only: seconds_for_c
  use wherry_view_types, only: bytes_of, wherry_view
  implicit none
  private
  public :: wherry_rank_group_create, wherry_rank_group_add, wherry_rank_group_ranks, wherry_rank_group_commit
  public :: wherry_rank_group_committed, wherry_rank_group_barrier, wherry_rank_group_allreduce
  public :: wherry_rank_group_explain, wherry_rank_group_transport, wherry_rank_group_statistics

contains

  !> Makes a group without members. Local.
  subroutine wherry_rank_group_create(comm, group, name, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_rank_group), intent(inout) :: group
    character(*), intent(in), optional :: name !< for errors and texts
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_rank_group_free(group, status)
    if (present(name)) then
      status = c_rank_group_create(comm%c_handle, for_c(name), group%c_handle)
    else
      status = c_rank_group_create(comm%c_handle, for_c(''), group%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> Adds a rank of the communicator, in any order. Local.
  subroutine wherry_rank_group_add(group, rank, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    integer, intent(in) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_rank_group_add(group%c_handle, int(rank, c_int)), ierror, errmsg)
  end subroutine
  !> The members, as ranks of the communicator, ascending, and the place of this rank among them, from 1; 0 if it is no member.
  !> Local.
  subroutine wherry_rank_group_ranks(group, ranks, place, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: place
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, count, index
    type(c_ptr) :: list
    list = c_null_ptr
    count = 0
    index = -1
    status = c_rank_group_ranks(group%c_handle, list, count, index)
    call ranks_of(list, count, ranks)
    if (present(place)) place = int(index) + 1
    call settle(status, ierror, errmsg)
  end subroutine

  !> Prepares the group for its collectives. Collective over the members.
  subroutine wherry_rank_group_commit(group, done, seconds, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_rank_group_commit(group%c_handle, seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Whether the group is committed. Local.
  subroutine wherry_rank_group_committed(group, committed, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    logical, intent(out) :: committed
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, found
    found = 0
    status = c_rank_group_committed(group%c_handle, found)
    committed = found /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Waits until all members have called it. Collective over the members.
  subroutine wherry_rank_group_barrier(group, done, seconds, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_rank_group_barrier(group%c_handle, seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> Combines the elements of `from` of all members, one by one, into `to` of all of them, with the same bits. Both arrays have the
  !> same type and size, their elements lie side by side, and they may be one array. Collective over the members.
  subroutine wherry_rank_group_allreduce(group, from, to, how, done, seconds, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    type(wherry_view), intent(in) :: from, to
    type(wherry_reduction), target, intent(in) :: how !< an operation, or a function, which must be associative
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    character(*), parameter :: where = 'wherry_rank_group_allreduce'
    type(c_wherry_reduction), target :: operation
    type(names_for_c), target :: names
    integer(c_int) :: status, complete
    complete = 0
    operation = reduction_for_c(how, names%update)
    if (bytes_of(from) < 0 .or. bytes_of(to) < 0) then
      status = refuse(where, '''from'' or ''to'' has elements that do not lie side by side')
    else if (from%c%type /= to%c%type .or. bytes_of(from) /= bytes_of(to)) then
      status = refuse(where, '''from'' and ''to'' have different types or sizes')
    else
      status = c_rank_group_allreduce(group%c_handle, from%c%data, to%c%data, numbers_of(from), from%c%type, c_loc(operation), &
        seconds_for_c(seconds), complete)
    end if
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of a view's elements, or of all their components.
  pure function numbers_of(view) result(count)
    type(wherry_view), intent(in) :: view
    integer(c_int64_t) :: count
    count = product(view%c%extents(:view%c%dimensions)) * max(view%c%components, 1_c_int)
  end function

  !> The members and how they reach one another, as a text that people can read. Local.
  subroutine wherry_rank_group_explain(group, text, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_rank_group_explain(group%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The name of the transport. Local.
  subroutine wherry_rank_group_transport(group, text, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_rank_group_transport(group%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> What the group's collectives have moved on this rank. Local.
  subroutine wherry_rank_group_statistics(group, statistics, ierror, errmsg)
    type(wherry_rank_group), intent(in) :: group
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_rank_group_statistics(group%c_handle, moved)
    statistics = statistics_from_c(moved)
    call settle(status, ierror, errmsg)
  end subroutine

end module
