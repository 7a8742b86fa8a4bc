!> Published layouts: each rank tells its neighbours once where its arrays lie, so that those of its node read halos in place.
!>
!>     call wherry_published_layouts_create(comm, fill, layouts)         ! `fill` is a halo exchange of u
!>     call wherry_published_layouts_publish(layouts, [wherry_view(u)])  ! neighbours may read my cells
!>     ! compute what reads no halo
!>     call wherry_published_layouts_read(layouts, [wherry_view(u)])     ! theirs, into my halo
!>
!> What is published must stay as it is until wherry_published_layouts_await_readers has returned; with two arrays that alternate
!> this call is not needed. A call with `seconds` ends within that time; `done` then tells whether it was complete, and the
!> same call continues. docs/notify.md is the manual.
module wherry_published
  use, intrinsic :: iso_c_binding, only: c_int, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: real64
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_errors, only: refuse, settle, text_of
  use wherry_exchanges, only: statistics_from_c, wherry_statistics
  use wherry_handles
  use wherry_interface
  use wherry_options, only: names_for_c, put_name
  use wherry_time_limits, only: seconds_for_c
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_published_layouts_create, wherry_published_layouts_publish, wherry_published_layouts_read
  public :: wherry_published_layouts_await_readers, wherry_published_layouts_explain, wherry_published_layouts_transport
  public :: wherry_published_layouts_statistics

contains

  !> Tells the layouts. `exchange` has all messages in one stage and stores what arrives: no operation, and not dimension by
  !> dimension. It may be freed afterwards. Collective over `comm`.
  subroutine wherry_published_layouts_create(comm, exchange, layouts, name, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_published_layouts), intent(inout) :: layouts
    character(*), intent(in), optional :: name !< for errors, texts, statistics and traces
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_published_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_published_layouts_free(layouts, status)
    how%struct_size = c_sizeof(how)
    if (present(name)) how%name = put_name(name, names%name)
    status = c_published_layouts_create(comm%c_handle, exchange%c_handle, c_loc(how), layouts%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes this rank's arrays, as many as the exchange has, available to the neighbours.
  subroutine wherry_published_layouts_publish(layouts, arrays, done, seconds, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    type(wherry_view), intent(in) :: arrays(:)
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: addresses(max(size(arrays), 1))
    integer(c_int) :: status, complete
    complete = 0
    call put_addresses('wherry_published_layouts_publish', arrays, addresses, status)
    if (status == WHERRY_SUCCESS) status = c_published_layouts_publish(layouts%c_handle, size(arrays, kind=c_int), &
      c_loc(addresses), seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> Waits for the next publication of every neighbour, and copies its data into the halos of `arrays`.
  subroutine wherry_published_layouts_read(layouts, arrays, done, seconds, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    type(wherry_view), intent(in) :: arrays(:)
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: addresses(max(size(arrays), 1))
    integer(c_int) :: status, complete
    complete = 0
    call put_addresses('wherry_published_layouts_read', arrays, addresses, status)
    if (status == WHERRY_SUCCESS) status = c_published_layouts_read(layouts%c_handle, size(arrays, kind=c_int), &
      c_loc(addresses), seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine put_addresses(where, arrays, addresses, status)
    character(*), intent(in) :: where
    type(wherry_view), intent(in) :: arrays(:)
    type(c_ptr), intent(inout) :: addresses(:)
    integer(c_int), intent(out) :: status
    integer :: i
    status = WHERRY_SUCCESS
    do i = 1, size(arrays)
      addresses(i) = arrays(i)%c%data
      if (fault_of(arrays(i)) /= '') status = refuse(where, 'an array is wrong: ' // fault_of(arrays(i)))
    end do
  end subroutine

  !> Waits until the published arrays may be changed.
  subroutine wherry_published_layouts_await_readers(layouts, done, seconds, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    logical, intent(out), optional :: done
    real(real64), intent(in), optional :: seconds
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_published_layouts_await_readers(layouts%c_handle, seconds_for_c(seconds), complete)
    if (present(done)) done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> One line for each rank that data comes from, which says how much of it is read in place. Local.
  subroutine wherry_published_layouts_explain(layouts, text, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_published_layouts_explain(layouts%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The planned ways of the data, such as "read in place". Local.
  subroutine wherry_published_layouts_transport(layouts, text, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_published_layouts_transport(layouts%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> What this rank has read and published. Local.
  subroutine wherry_published_layouts_statistics(layouts, statistics, ierror, errmsg)
    type(wherry_published_layouts), intent(in) :: layouts
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_published_layouts_statistics(layouts%c_handle, moved)
    statistics = statistics_from_c(moved)
    call settle(status, ierror, errmsg)
  end subroutine

end module
