!> Sparse exchanges: elements for ranks that do not know that something will come.
module wherry_sparse
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_errors, only: ranks_of, refuse_next, settle, text_of
  use wherry_handles
  use wherry_indices, only: arrays_for_c
  use wherry_interface
  use wherry_options
  use wherry_shapes, only: view_from_c
  use wherry_view_types, only: wherry_view
  implicit none
  private
  public :: wherry_sparse_algorithms, wherry_send_to, wherry_send_to_start, wherry_sparse_exchange
  public :: wherry_sparse_exchange_start, wherry_arriving_test, wherry_arriving_wait, wherry_arriving_algorithm
  public :: wherry_arrivals_all, wherry_arrivals_from, wherry_arrivals_sources, wherry_arrivals_offsets
  public :: wherry_arrivals_source_of, wherry_sparse_plan_create, wherry_sparse_plan_arriving, wherry_sparse_plan_sources
  public :: wherry_sparse_plan_offsets, wherry_sparse_plan_exchange, wherry_sparse_plan_answer

  !> Options of sparse exchanges, the same on all ranks except for the list `receive_from`.
  type, public :: wherry_sparse_options
    character(WHERRY_MAX_NAME) :: algorithm = '' !< one of wherry_sparse_algorithms; blank: 'auto'
    !> If it is allocated: the ranks that send to this one. Then nothing is sent between other ranks; a rank gives
    !> something, perhaps a parcel without elements, to exactly the ranks that have it in their lists.
    integer, allocatable :: receive_from(:)
    !> Bytes of elements that leave and that arrive at once, on each rank; 0: no limit.
    integer(int64) :: limit_bytes = 0
  end type

  !> Elements for one rank: a view of one dimension, whose elements lie side by side.
  type, public :: wherry_parcel
    integer :: to = 0
    type(wherry_view) :: elements
  end type

  !> What the C structures of a call point to.
  type :: sparse_memory
    type(c_wherry_sparse_options) :: how
    integer(c_int), allocatable :: from(:), to(:)
    type(names_for_c) :: names
    type(c_wherry_parcel), allocatable :: parcels(:)
  end type

contains

  !> The names of the algorithms, 'auto' not included.
  function wherry_sparse_algorithms() result(names)
    character(WHERRY_MAX_NAME), allocatable :: names(:)
    type(c_ptr) :: list
    type(c_ptr), pointer :: each(:)
    integer(c_int) :: count
    integer :: i
    list = c_null_ptr
    count = 0
    call settle(c_sparse_algorithms(list, count))
    allocate(names(count))
    if (count == 0) return
    call c_f_pointer(list, each, [int(count)])
    do i = 1, size(names)
      names(i) = text_of(each(i))
    end do
  end function

  subroutine put_options(from, memory)
    type(wherry_sparse_options), intent(in), optional :: from
    type(sparse_memory), target, intent(inout) :: memory
    memory%how%struct_size = c_sizeof(memory%how)
    if (.not. present(from)) return
    memory%how%algorithm = put_name(from%algorithm, memory%names%name)
    memory%how%limit_bytes = from%limit_bytes
    if (.not. allocated(from%receive_from)) return
    memory%how%knows_sources = 1
    memory%how%receive_from_count = size(from%receive_from, kind=c_int)
    allocate(memory%from(max(size(from%receive_from), 1)))
    memory%from(:size(from%receive_from)) = int(from%receive_from, c_int)
    memory%how%receive_from = c_loc(memory%from)
  end subroutine
  subroutine put_ranks(from, memory)
    integer, intent(in) :: from(:)
    type(sparse_memory), target, intent(inout) :: memory
    allocate(memory%to(max(size(from), 1)))
    memory%to(:size(from)) = int(from, c_int)
  end subroutine
  subroutine put_parcels(from, memory)
    type(wherry_parcel), target, intent(in) :: from(:)
    type(sparse_memory), target, intent(inout) :: memory
    integer :: i
    allocate(memory%parcels(max(size(from), 1)))
    do i = 1, size(from)
      memory%parcels(i)%to = int(from(i)%to, c_int)
      memory%parcels(i)%count = from(i)%elements%c%extents(1)
      memory%parcels(i)%elements = from(i)%elements%c%data
      if (from(i)%elements%c%dimensions /= 1 .or. from(i)%elements%c%strides(1) /= 1) &
        call refuse_next('the elements of a parcel do not lie side by side in one dimension')
    end do
  end subroutine
  function checked(values, destinations) result(view)
    type(wherry_view), intent(in) :: values
    integer, intent(in) :: destinations(:)
    type(c_wherry_view) :: view
    type(c_wherry_view) :: list(1)
    list = arrays_for_c([values])
    view = list(1)
    if (view%dimensions == 1 .and. view%extents(1) /= size(destinations)) &
      call refuse_next('''destinations'' has not as many values as there are elements')
  end function

  !> Sends element i of `values` to rank `destinations(i)`, for each i, and gives what other ranks sent to this one.
  !> Collective over `comm`. A rank may send to itself, and may give nothing.
  subroutine wherry_send_to(comm, destinations, values, arrivals, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: destinations(:)
    type(wherry_view), intent(in) :: values
    type(wherry_arrivals), intent(inout) :: arrivals
    type(wherry_sparse_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(sparse_memory), target :: memory
    integer(c_int) :: status
    call wherry_arrivals_free(arrivals, status)
    call put_options(options, memory)
    call put_ranks(destinations, memory)
    status = c_send_to(comm%c_handle, c_loc(memory%to), checked(values, destinations), c_loc(memory%how), arrivals%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Starts to send, as wherry_send_to. Does not wait for other ranks, except in the first sparse exchange on `comm`. The
  !> arguments may be changed as soon as it returns. A wrong argument of any rank is an error of wherry_arriving_wait.
  subroutine wherry_send_to_start(comm, destinations, values, arriving, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: destinations(:)
    type(wherry_view), intent(in) :: values
    type(wherry_arriving), intent(inout) :: arriving
    type(wherry_sparse_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(sparse_memory), target :: memory
    integer(c_int) :: status
    call wherry_arriving_free(arriving, status)
    call put_options(options, memory)
    call put_ranks(destinations, memory)
    status = c_send_to_start(comm%c_handle, c_loc(memory%to), checked(values, destinations), c_loc(memory%how), &
      arriving%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Sends parcels, and gives what other ranks sent to this one. Collective over `comm`. `type` and `components` are those
  !> of the elements of all parcels, the same on all ranks.
  subroutine wherry_sparse_exchange(comm, parcels, type, arrivals, components, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_parcel), target, intent(in) :: parcels(:)
    integer(c_int32_t), intent(in) :: type
    type(wherry_arrivals), intent(inout) :: arrivals
    integer, intent(in), optional :: components
    type(wherry_sparse_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(sparse_memory), target :: memory
    integer(c_int) :: status, numbers
    numbers = 1
    if (present(components)) numbers = int(components, c_int)
    call wherry_arrivals_free(arrivals, status)
    call put_options(options, memory)
    call put_parcels(parcels, memory)
    status = c_sparse_exchange(comm%c_handle, size(parcels, kind=c_int), c_loc(memory%parcels), type, numbers, &
      c_loc(memory%how), arrivals%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Starts to send parcels, as wherry_send_to_start.
  subroutine wherry_sparse_exchange_start(comm, parcels, type, arriving, components, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_parcel), target, intent(in) :: parcels(:)
    integer(c_int32_t), intent(in) :: type
    type(wherry_arriving), intent(inout) :: arriving
    integer, intent(in), optional :: components
    type(wherry_sparse_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(sparse_memory), target :: memory
    integer(c_int) :: status, numbers
    numbers = 1
    if (present(components)) numbers = int(components, c_int)
    call wherry_arriving_free(arriving, status)
    call put_options(options, memory)
    call put_parcels(parcels, memory)
    status = c_sparse_exchange_start(comm%c_handle, size(parcels, kind=c_int), c_loc(memory%parcels), type, numbers, &
      c_loc(memory%how), arriving%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes progress. `done` tells whether all elements of this rank have arrived and left. Local.
  subroutine wherry_arriving_test(arriving, done, ierror, errmsg)
    type(wherry_arriving), intent(in) :: arriving
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_arriving_test(arriving%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Waits for the end, and gives the elements that have arrived, which can be taken once.
  subroutine wherry_arriving_wait(arriving, arrivals, ierror, errmsg)
    type(wherry_arriving), intent(in) :: arriving
    type(wherry_arrivals), intent(inout) :: arrivals
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_arrivals_free(arrivals, status)
    status = c_arriving_wait(arriving%c_handle, arrivals%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The name of the algorithm. Local.
  subroutine wherry_arriving_algorithm(arriving, name, ierror, errmsg)
    type(wherry_arriving), intent(in) :: arriving
    character(:), allocatable, intent(out) :: name
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_arriving_algorithm(arriving%c_handle, address)
    name = ''
    if (status == 0) name = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

  !> All elements that have arrived, ordered by the rank that sent them, in memory of `arrivals`: wherry_associate lets a
  !> pointer point to them. Local.
  subroutine wherry_arrivals_all(arrivals, elements, ierror, errmsg)
    type(wherry_arrivals), intent(in) :: arrivals
    type(wherry_view), intent(out) :: elements
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view) :: from
    integer(c_int) :: status
    status = c_arrivals_all(arrivals%c_handle, from)
    if (status == 0) elements = view_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The elements that one rank sent, in the same memory; none if it sent nothing. Local.
  subroutine wherry_arrivals_from(arrivals, rank, elements, ierror, errmsg)
    type(wherry_arrivals), intent(in) :: arrivals
    integer, intent(in) :: rank
    type(wherry_view), intent(out) :: elements
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view) :: from
    integer(c_int) :: status
    status = c_arrivals_from(arrivals%c_handle, int(rank, c_int), from)
    if (status == 0) elements = view_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The ranks that sent something, in ascending order. Local.
  subroutine wherry_arrivals_sources(arrivals, ranks, ierror, errmsg)
    type(wherry_arrivals), intent(in) :: arrivals
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    list = c_null_ptr
    count = 0
    status = c_arrivals_sources(arrivals%c_handle, list, count)
    call ranks_of(list, count, ranks)
    call settle(status, ierror, errmsg)
  end subroutine
  !> For each source the index of its first element among all, from 1, and behind them one more than the number of all
  !> elements. Local.
  subroutine wherry_arrivals_offsets(arrivals, offsets, ierror, errmsg)
    type(wherry_arrivals), intent(in) :: arrivals
    integer(int64), allocatable, intent(out) :: offsets(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    list = c_null_ptr
    count = 0
    status = c_arrivals_sources(arrivals%c_handle, list, count)
    if (status == 0) status = c_arrivals_offsets(arrivals%c_handle, list)
    if (status == 0) call offsets_of(list, int(count) + 1, offsets)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine offsets_of(list, count, offsets)
    type(c_ptr), intent(in) :: list
    integer, intent(in) :: count
    integer(int64), allocatable, intent(out) :: offsets(:)
    integer(c_int64_t), pointer :: from(:)
    call c_f_pointer(list, from, [count])
    offsets = from + 1
  end subroutine
  !> The rank that sent an element, by its index among all from 1. Local.
  subroutine wherry_arrivals_source_of(arrivals, place, rank, ierror, errmsg)
    type(wherry_arrivals), intent(in) :: arrivals
    integer, intent(in) :: place
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, source
    source = -1
    status = c_arrivals_source_of(arrivals%c_handle, int(place, c_int64_t) - 1, source)
    rank = int(source)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes a plan in which element i of this rank goes to rank `destinations(i)`: a sparse exchange that is repeated. Any
  !> number of exchanges of elements of any types can be bound to it, and of answers. Collective over `comm`.
  subroutine wherry_sparse_plan_create(comm, destinations, plan, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: destinations(:)
    type(wherry_sparse_plan), intent(inout) :: plan
    type(wherry_sparse_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(sparse_memory), target :: memory
    integer(c_int) :: status
    call wherry_sparse_plan_free(plan, status)
    call put_options(options, memory)
    call put_ranks(destinations, memory)
    status = c_sparse_plan_create(comm%c_handle, size(destinations, kind=c_int64_t), c_loc(memory%to), c_loc(memory%how), &
      plan%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of elements that arrive on this rank. Local.
  subroutine wherry_sparse_plan_arriving(plan, count, ierror, errmsg)
    type(wherry_sparse_plan), intent(in) :: plan
    integer, intent(out) :: count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: number
    integer(c_int) :: status
    number = 0
    status = c_sparse_plan_arriving(plan%c_handle, number)
    count = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The ranks that send to this one, in ascending order. Local.
  subroutine wherry_sparse_plan_sources(plan, ranks, ierror, errmsg)
    type(wherry_sparse_plan), intent(in) :: plan
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    list = c_null_ptr
    count = 0
    status = c_sparse_plan_sources(plan%c_handle, list, count)
    call ranks_of(list, count, ranks)
    call settle(status, ierror, errmsg)
  end subroutine
  !> For each source the index of its first element, from 1, and behind them one more than the number of all. Local.
  subroutine wherry_sparse_plan_offsets(plan, offsets, ierror, errmsg)
    type(wherry_sparse_plan), intent(in) :: plan
    integer(int64), allocatable, intent(out) :: offsets(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    list = c_null_ptr
    count = 0
    status = c_sparse_plan_sources(plan%c_handle, list, count)
    if (status == 0) status = c_sparse_plan_offsets(plan%c_handle, list)
    if (status == 0) call offsets_of(list, int(count) + 1, offsets)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Binds the exchange that sends `values` and receives `arrived`, of the same type and of one dimension. Collective.
  subroutine wherry_sparse_plan_exchange(plan, values, arrived, exchange, carry, ierror, errmsg)
    type(wherry_sparse_plan), intent(in) :: plan
    type(wherry_view), intent(in) :: values, arrived
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_carry_options), intent(in), optional :: carry
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_sparse_plan_options), target :: how
    type(names_for_c), target :: names
    type(c_wherry_view) :: list(2)
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    how%struct_size = c_sizeof(how)
    if (present(carry)) how%carry = carry_for_c(carry, names)
    list = arrays_for_c([values, arrived])
    status = c_sparse_plan_exchange(plan%c_handle, list(1), list(2), c_loc(how), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Binds the exchange that sends a reply to each element that has arrived: `answers(i)` is the reply to element i of this
  !> rank. Collective.
  subroutine wherry_sparse_plan_answer(plan, replies, answers, exchange, carry, ierror, errmsg)
    type(wherry_sparse_plan), intent(in) :: plan
    type(wherry_view), intent(in) :: replies, answers
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_carry_options), intent(in), optional :: carry
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_sparse_plan_options), target :: how
    type(names_for_c), target :: names
    type(c_wherry_view) :: list(2)
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    how%struct_size = c_sizeof(how)
    if (present(carry)) how%carry = carry_for_c(carry, names)
    list = arrays_for_c([replies, answers])
    status = c_sparse_plan_answer(plan%c_handle, list(1), list(2), c_loc(how), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

end module
