!> Halo exchange on unstructured meshes and sparse matrices, by lists of indices. Local indices count from 1.
module wherry_indices
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, &
    c_sizeof
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use wherry_constants, only: WHERRY_INT32, WHERRY_INT64
  use wherry_errors, only: refuse_next, settle, text_of
  use wherry_handles
  use wherry_interface
  use wherry_options
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_index_lists_create, wherry_index_lists_create_from_ghosts, wherry_index_lists_create_from_ids
  public :: wherry_index_lists_create_from_flat, wherry_index_lists_sends, wherry_index_lists_receives
  public :: wherry_index_exchange_create, wherry_index_plan_create, wherry_index_plan_bind, wherry_index_plan_to_json
  public :: arrays_for_c, integers_of, peers_from_c

  !> A local copy of another rank's element. The owner is a rank, from 0; both indices are local, from 1.
  type, public :: wherry_ghost
    integer :: owner = 0
    integer(int64) :: index_there = 1, index_here = 1
  end type

  !> The local indices of the elements that go to, or come from, one rank, in the order in which they travel.
  type, public :: wherry_peer_indices
    integer :: peer = 0
    integer(int64), allocatable :: at(:)
  end type

  !> The elements of all arrays from first to last that wherry_exchange_ready sends.
  type, public :: wherry_index_part
    integer(int64) :: first = 1, last = 0
  end type

  !> Options of an index exchange, the same on all ranks except for `parts`, `carry%threads` and `carry%name`.
  type, public :: wherry_index_options
    !> Ghosts travel to their owners, and keep their values. If an element has several ghosts, `update` must combine them.
    logical :: reverse = .false.
    type(wherry_reduction) :: update = wherry_reduction() !< combines arriving elements with those that are there
    !> Combines each element with all its ghosts and gives all of them the result.
    type(wherry_reduction) :: combine_copies = wherry_reduction()
    type(wherry_index_part), allocatable :: parts(:) !< for wherry_exchange_start_in_parts; they must not overlap
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

  !> wherry_index_lists_create_from_ids(comm, rows, externals, lists [, ierror] [, errmsg]): lists for elements that ranks
  !> know by global ids only, by finding the owner of each id. `rows` are the ids of this rank's elements, in their local
  !> order: any numbers from 0 on, each on one rank only. `externals` are the ids of the copies of other ranks' elements;
  !> locally they follow the rows, in this order. Collective over `comm`.
  interface wherry_index_lists_create_from_ids
    module procedure create_from_ids, create_from_ids_int64
  end interface
  !> wherry_index_exchange_create(comm, lists, array, exchange [, options] [, ierror] [, errmsg]): plans and binds the
  !> exchange of an array, or of a list of arrays, which may differ in type, components and strides, and travel together.
  !> Each has one dimension, which counts the elements, or two: the first counts the components of an element. Collective
  !> over `comm`.
  interface wherry_index_exchange_create
    module procedure create_exchange_of_one, create_exchange
  end interface
  !> wherry_index_plan_create(comm, lists, array, plan [, options] [, ierror] [, errmsg]): index lists that are planned once.
  !> Any number of exchanges can be bound to a plan, and they may be in flight independently of each other. Collective.
  interface wherry_index_plan_create
    module procedure create_plan_of_one, create_plan
  end interface
  !> wherry_index_plan_bind(plan, exchange [, arrays] [, ierror] [, errmsg]): binds an exchange to a plan, of other arrays in
  !> the shape with which the plan was made. Collective.
  interface wherry_index_plan_bind
    module procedure bind_as_planned, bind_arrays
  end interface

contains

  !> A list of integers for C, which is read by the next call.
  function integers_of(list) result(to)
    integer(int64), target, contiguous, intent(in) :: list(:)
    type(c_wherry_integers) :: to
    to%type = WHERRY_INT64
    to%count = size(list, kind=c_int64_t)
    to%data = c_null_ptr
    if (size(list) > 0) to%data = c_loc(list(1))
  end function

  !> Makes index lists from this rank's own lists. The k-th element that rank a sends to rank b arrives at the k-th index
  !> that b receives from a; a rank may send to itself. Local: the exchange that uses the lists compares them.
  subroutine wherry_index_lists_create(sends, receives, lists, ierror, errmsg)
    type(wherry_peer_indices), intent(in) :: sends(:), receives(:)
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_peer_indices), target :: sent(max(size(sends), 1)), received(max(size(receives), 1))
    integer(c_int64_t), allocatable, target :: all(:)
    integer :: n, i
    integer(c_int) :: status
    n = 0
    do i = 1, size(sends)
      if (allocated(sends(i)%at)) n = n + size(sends(i)%at)
    end do
    do i = 1, size(receives)
      if (allocated(receives(i)%at)) n = n + size(receives(i)%at)
    end do
    allocate(all(max(n, 1)))
    n = 0
    call put(sends, sent)
    call put(receives, received)
    call wherry_index_lists_free(lists, status)
    status = c_index_lists_create(size(sends, kind=c_int), c_loc(sent), size(receives, kind=c_int), c_loc(received), &
      lists%c_handle)
    call settle(status, ierror, errmsg)
  contains
    subroutine put(from, to)
      type(wherry_peer_indices), intent(in) :: from(:)
      type(c_wherry_peer_indices), intent(inout) :: to(:)
      integer :: k, length
      do k = 1, size(from)
        to(k)%peer = int(from(k)%peer, c_int)
        to(k)%at = c_loc(all)
        if (.not. allocated(from(k)%at)) cycle
        length = size(from(k)%at)
        if (length == 0) cycle
        to(k)%count = length
        to(k)%at = c_loc(all(n + 1))
        all(n + 1:n + length) = from(k)%at - 1
        n = n + length
      end do
    end subroutine
  end subroutine

  !> Makes the index lists that fill ghosts from their owners, by telling each owner which of its elements are needed. The
  !> ghosts come in any order, and may be none. Collective over `comm`.
  subroutine wherry_index_lists_create_from_ghosts(comm, ghosts, lists, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_ghost), intent(in) :: ghosts(:)
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_ghost), allocatable, target :: given(:)
    integer(c_int) :: status
    allocate(given(max(size(ghosts), 1)))
    given(:size(ghosts))%owner = int(ghosts%owner, c_int)
    given(:size(ghosts))%index_there = ghosts%index_there - 1
    given(:size(ghosts))%index_here = ghosts%index_here - 1
    call wherry_index_lists_free(lists, status)
    status = c_index_lists_create_from_ghosts(comm%c_handle, size(ghosts, kind=c_int64_t), c_loc(given), lists%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine create_from_ids_int64(comm, rows, externals, lists, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), intent(in) :: rows(:), externals(:)
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable, target :: own(:), others(:)
    integer(c_int) :: status
    allocate(own(size(rows)), others(size(externals)))
    own(:) = rows
    others(:) = externals
    call wherry_index_lists_free(lists, status)
    status = c_index_lists_create_from_ids(comm%c_handle, integers_of(own), integers_of(others), lists%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine create_from_ids(comm, rows, externals, lists, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), intent(in) :: rows(:), externals(:)
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call create_from_ids_int64(comm, int(rows, int64), int(externals, int64), lists, ierror, errmsg)
  end subroutine

  !> Makes index lists in the form of codes such as HPCG and PETSc: the indices of all neighbours are in one list.
  !> Collective over `comm`.
  !> @param neighbors the neighbouring ranks, each once
  !> @param send_lengths, receive_lengths number of elements for each neighbour
  !> @param sent, received local indices, from 1. Without `received`, the elements follow this rank's `rows` elements
  subroutine wherry_index_lists_create_from_flat(comm, neighbors, send_lengths, sent, receive_lengths, lists, received, &
    rows, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: neighbors(:), send_lengths(:), sent(:), receive_lengths(:)
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(in), optional :: received(:), rows
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), target :: ranks(size(neighbors)), sends(size(send_lengths)), from(size(sent))
    integer(int64), target :: receives(size(receive_lengths))
    integer(int64), allocatable, target :: to(:)
    type(c_wherry_flat_lists), target :: flat
    integer(c_int) :: status
    ranks = int(neighbors, int64)
    sends = int(send_lengths, int64)
    from = int(sent, int64) - 1
    receives = int(receive_lengths, int64)
    flat%neighbors = integers_of(ranks)
    flat%send_lengths = integers_of(sends)
    flat%sent = integers_of(from)
    flat%receive_lengths = integers_of(receives)
    if (present(received)) then
      allocate(to(size(received)))
      to(:) = int(received, int64) - 1
      flat%received = integers_of(to)
    end if
    if (present(rows)) flat%first_external = int(rows, c_int64_t)
    call wherry_index_lists_free(lists, status)
    status = c_index_lists_create_from_flat(comm%c_handle, c_loc(flat), lists%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> The lists of the elements that this rank sends. Local.
  subroutine wherry_index_lists_sends(lists, sends, ierror, errmsg)
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_peer_indices), allocatable, intent(out) :: sends(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    count = 0
    list = c_null_ptr
    status = c_index_lists_sends(lists%c_handle, list, count)
    call peers_from_c(list, count, sends)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The lists of the elements that this rank receives. Local.
  subroutine wherry_index_lists_receives(lists, receives, ierror, errmsg)
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_peer_indices), allocatable, intent(out) :: receives(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    count = 0
    list = c_null_ptr
    status = c_index_lists_receives(lists%c_handle, list, count)
    call peers_from_c(list, count, receives)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine peers_from_c(list, count, peers)
    type(c_ptr), intent(in) :: list
    integer(c_int), intent(in) :: count
    type(wherry_peer_indices), allocatable, intent(out) :: peers(:)
    type(c_wherry_peer_indices), pointer :: from(:)
    integer(c_int64_t), pointer :: at(:)
    integer :: i
    allocate(peers(max(int(count), 0)))
    if (size(peers) == 0) return
    call c_f_pointer(list, from, [int(count)])
    do i = 1, size(peers)
      peers(i)%peer = int(from(i)%peer)
      allocate(peers(i)%at(from(i)%count))
      if (from(i)%count == 0) cycle
      call c_f_pointer(from(i)%at, at, [from(i)%count])
      peers(i)%at = at + 1
    end do
  end subroutine

  !> The C views of arrays. What is wrong with them fails in the next call.
  function arrays_for_c(arrays) result(list)
    type(wherry_view), intent(in) :: arrays(:)
    type(c_wherry_view) :: list(max(size(arrays), 1))
    character(20) :: number
    integer :: i
    do i = 1, size(arrays)
      list(i) = arrays(i)%c
      write (number, '(i0)') i
      if (fault_of(arrays(i)) /= '') call refuse_next('array ' // trim(number) // ' is wrong: ' // fault_of(arrays(i)))
    end do
  end function

  subroutine put_options(from, to, parts, names)
    type(wherry_index_options), target, intent(in), optional :: from
    type(c_wherry_index_options), intent(inout) :: to
    type(c_wherry_index_part), allocatable, target, intent(inout) :: parts(:)
    type(names_for_c), target, intent(inout) :: names
    to%struct_size = c_sizeof(to)
    if (.not. present(from)) return
    to%reverse = merge(1_c_int, 0_c_int, from%reverse)
    to%update = reduction_for_c(from%update, names%update)
    to%combine_copies = reduction_for_c(from%combine_copies, names%combine_copies)
    if (allocated(from%parts)) then
      allocate(parts(max(size(from%parts), 1)))
      parts(:size(from%parts))%begin = from%parts%first - 1
      parts(:size(from%parts))%end = from%parts%last
      to%parts = c_loc(parts)
      to%part_count = size(from%parts, kind=c_int)
    end if
    to%carry = carry_for_c(from%carry, names)
  end subroutine

  subroutine create_exchange_of_one(comm, lists, array, exchange, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_view), intent(in) :: array
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_index_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call create_exchange(comm, lists, [array], exchange, options, ierror, errmsg)
  end subroutine
  subroutine create_exchange(comm, lists, arrays, exchange, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_view), intent(in) :: arrays(:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_index_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view), target :: list(max(size(arrays), 1))
    type(c_wherry_index_options), target :: how
    type(c_wherry_index_part), allocatable, target :: parts(:)
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    list = arrays_for_c(arrays)
    call put_options(options, how, parts, names)
    status = c_index_exchange_create(comm%c_handle, lists%c_handle, size(arrays, kind=c_int), c_loc(list), c_loc(how), &
      exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine create_plan_of_one(comm, lists, array, plan, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_view), intent(in) :: array
    type(wherry_index_plan), intent(inout) :: plan
    type(wherry_index_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call create_plan(comm, lists, [array], plan, options, ierror, errmsg)
  end subroutine
  subroutine create_plan(comm, lists, arrays, plan, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_index_lists), intent(in) :: lists
    type(wherry_view), intent(in) :: arrays(:)
    type(wherry_index_plan), intent(inout) :: plan
    type(wherry_index_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view), target :: list(max(size(arrays), 1))
    type(c_wherry_index_options), target :: how
    type(c_wherry_index_part), allocatable, target :: parts(:)
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_index_plan_free(plan, status)
    list = arrays_for_c(arrays)
    call put_options(options, how, parts, names)
    status = c_index_plan_create(comm%c_handle, lists%c_handle, size(arrays, kind=c_int), c_loc(list), c_loc(how), &
      plan%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine bind_as_planned(plan, exchange, ierror, errmsg)
    type(wherry_index_plan), intent(in) :: plan
    type(wherry_exchange), intent(inout) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    status = c_index_plan_bind(plan%c_handle, 0_c_int, c_null_ptr, exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine bind_arrays(plan, exchange, arrays, ierror, errmsg)
    type(wherry_index_plan), intent(in) :: plan
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_view), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: addresses(max(size(arrays), 1))
    integer(c_int) :: status
    integer :: i
    call wherry_exchange_free(exchange, status)
    do i = 1, size(arrays)
      addresses(i) = arrays(i)%c%data
    end do
    status = c_index_plan_bind(plan%c_handle, size(arrays, kind=c_int), c_loc(addresses), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> This rank's part of the plan as JSON. Local.
  subroutine wherry_index_plan_to_json(plan, text, ierror, errmsg)
    type(wherry_index_plan), intent(in) :: plan
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_index_plan_to_json(plan%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

end module
