! Grids, boxes, operations, parts, memory of the node, and what exchanges tell of themselves.
module combining
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function keep_sum(into, from, count, context) bind(c) result(failure)
    type(c_ptr), value :: into, from
    integer(c_size_t), value :: count
    type(c_ptr), value :: context
    integer(c_int) :: failure
    real(c_double), pointer :: a(:), b(:)
    integer, pointer :: calls
    call c_f_pointer(into, a, [count])
    call c_f_pointer(from, b, [count])
    call c_f_pointer(context, calls)
    a = a + b
    calls = calls + 1
    failure = merge(7, 0, calls > 1000)
  end function
end module

program patterns
  use test_support
  use combining
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  integer, target :: calls = 0
  call begin()
  call of_grids()
  call of_operations()
  call of_parts()
  call of_memory()
  call of_kinds_of_memory()
  call finish('patterns')
contains
  subroutine of_grids()
    type(wherry_process_grid) :: grid
    type(wherry_box) :: box, same
    integer, allocatable :: extents(:), at(:), node(:)
    logical, allocatable :: periodic(:)
    integer :: n, owner, this, all, i, total, cell(2), major, minor, patch
    call wherry_communicator_rank(comm, this, all)
    call require(this == rank .and. all == ranks, 'rank and size')
    call wherry_communicator_node(comm, node)
    call require(any(node == rank) .and. all >= size(node), 'the ranks of the node')
    call wherry_process_grid_create(comm, 2, grid, &
      wherry_process_grid_options(periodic=[.true., .false.], extents=[1, 0], order=WHERRY_ORDER_COLUMNS))
    call wherry_process_grid_dimensions(grid, n)
    call wherry_process_grid_shape(grid, extents, periodic)
    call require(n == 2 .and. all == ranks .and. all_equal(extents, [1, ranks]), 'the shape')
    call require(periodic(1) .and. .not. periodic(2), 'what wraps around')
    call wherry_process_grid_coordinates(grid, rank, at)
    call require(all_equal(at, [0, rank]), 'coordinates')
    call wherry_process_grid_rank_at(grid, [5, rank], owner)
    call require(owner == rank, 'periodic places')
    call wherry_process_grid_rank_at(grid, [0, ranks], owner)
    call require(owner == -1, 'no such place')
    call wherry_owned_box(grid, [10, 7], box)
    call wherry_owned_box(grid, [10_int64, 7_int64], same)
    call require(all_equal(box%extents(), same%extents()) .and. box%dimensions == 2, 'the same box')
    call require(box%lower(1) == 1 .and. box%upper(1) == 10, 'all of the first dimension')
    total = 0
    do i = 1, 7
      cell = [3, i]
      call wherry_owner_of(grid, cell, [10, 7], owner)
      call require((owner == rank) .eqv. box%contains(cell), 'the owner has the cell')
      total = total + merge(1, 0, owner == rank)
    end do
    call require(all_equal(box%extents(), [10, total]), 'the extents of the box')
    call wherry_owned_box(grid, [7, 10], box, axes=[2, 0])
    call require(all_equal(box%extents(), [total, 10]), 'cut along other dimensions')
    call wherry_owned_box(grid, [10, 0], box)
    call require(.not. box%contains([1, 1]) .and. product(box%extents()) == 0, 'an empty box')
    call wherry_version(major, minor, patch)
    call require(major >= 0 .and. minor >= 0 .and. patch >= 0 .and. major + minor > 0, 'the version')
    call require(wherry_status_name(WHERRY_ERROR_TIMEOUT) == 'timeout', 'the name of a status')
  end subroutine
  logical function all_equal(one, two)
    integer, intent(in) :: one(:), two(:)
    all_equal = size(one) == size(two)
    if (all_equal) all_equal = all(one == two)
  end function

  subroutine of_operations()
    type(wherry_process_grid) :: ring
    type(wherry_exchange) :: add
    type(wherry_halo_options) :: options
    type(wherry_statistics) :: moved
    real(real64), target :: u(7)
    character(:), allocatable :: text
    integer, allocatable :: some(:)
    integer :: way
    call wherry_process_grid_create(comm, 1, ring, wherry_process_grid_options(periodic=[.true.]))
    do way = 1, 2
      u = 1
      options%reverse = .true.
      if (way == 1) then
        options%update = wherry_reduction(WHERRY_ADD)
      else
        options%update = wherry_reduction(function=c_funloc(keep_sum), context=c_loc(calls), name='keep_sum', type=WHERRY_FLOAT64)
      end if
      call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u), 1), add, options)
      call wherry_exchange_start(add)
      do
        call wherry_exchange_wait_some(add, some)
        if (size(some) == 0) exit
      end do
      call require(all(u == [1, 2, 1, 1, 1, 2, 1]), 'sums at the owners')
    end do
    call require(calls > 0, 'our function was called')
    call wherry_exchange_statistics(add, moved)
    call require(moved%exchanges == 1, 'statistics')
    call wherry_exchange_explain(add, text)
    call require(len(text) > 20, 'the plan as a table')
    call wherry_exchange_to_json(add, text)
    call require(text(1:1) == '{', 'the plan as JSON')
    call wherry_exchange_transport(add, text)
    call require(len(text) > 0, 'the transport')
  end subroutine

  subroutine of_parts()
    type(wherry_process_grid) :: ring
    type(wherry_exchange) :: fill
    type(wherry_halo_options) :: options
    type(wherry_halo_part) :: parts(2)
    integer(int32), target :: u(0:7)
    integer :: i
    call wherry_process_grid_create(comm, 1, ring, wherry_process_grid_options(periodic=[.true.]))
    parts(1)%cells%dimensions = 1
    parts(1)%cells%lower(1) = 1
    parts(1)%cells%upper(1) = 3
    parts(2)%cells = parts(1)%cells
    parts(2)%cells%lower(1) = 4
    parts(2)%cells%upper(1) = 6
    options%parts = parts
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u, lbound(u)), 1), fill, options)
    u = -1
    call wherry_exchange_start_in_parts(fill)
    do i = 2, 1, -1
      u(3 * i - 2:3 * i) = [3 * i - 2, 3 * i - 1, 3 * i] + 100 * rank
      call wherry_exchange_ready(fill, i)
    end do
    call wherry_exchange_wait(fill)
    call require(u(0) == 100 * modulo(rank - 1, ranks) + 6, 'the last part of the rank before')
    call require(u(7) == 100 * modulo(rank + 1, ranks) + 1, 'the first part of the next rank')
  end subroutine

  subroutine of_memory()
    type(wherry_process_grid) :: ring
    type(wherry_exchange) :: fill
    real(real32), pointer :: a(:,:)
    real(real32), pointer :: huge_one(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: ierror
    character(100) :: text
    call wherry_process_grid_create(comm, 2, ring, &
      wherry_process_grid_options(periodic=[.true., .true.], extents=[1, 0]))
    call wherry_allocate(comm, a, [20, 12], lower_bounds=[-1, 0])
    call require(all(lbound(a) == [-1, 0]) .and. all(ubound(a) == [18, 11]) .and. all(a == 0), 'zeros in these bounds')
    a(1:16, 1:10) = real(rank)
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(a, lbound(a)), [1, 1], [16, 10]), fill)
    call wherry_exchange_run(fill)
    call require(all(a(:, 0) == modulo(rank - 1, ranks)) .and. all(a(:, 11) == modulo(rank + 1, ranks)), 'halos in this memory')
    call wherry_exchange_free(fill)
    call wherry_free(a)
    call require(.not. associated(a), 'it points to nothing')
    call wherry_free(a)
    allocate(a(2, 2))
    call wherry_free(a, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'no address that wherry_allocate returned')
    call require(associated(a), 'what could not be freed stays')
    deallocate(a)
    call wherry_allocate(comm, huge_one, spread(huge(1), 1, 7), ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'more bytes than an address can count')
    call require(.not. associated(huge_one), 'no array')
    call wherry_allocate(comm, address, 100_int64)
    call require(c_associated(address), 'memory by its address')
    call wherry_free(address)
    call require(.not. c_associated(address), 'it is null')
  end subroutine

  subroutine of_kinds_of_memory()
    integer(int64), pointer :: one(:)
    complex(real64), pointer :: seven(:,:,:,:,:,:,:)
    logical, pointer :: three(:,:,:)
    type(wherry_communicator) :: no
    integer :: ierror
    call wherry_allocate(comm, one, [0])
    call require(associated(one) .and. size(one) == 0, 'no elements')
    call wherry_free(one)
    call wherry_allocate(comm, one, [3], [5])
    one(5:7) = [1, 2, 3]
    call require(sum(one) == 6, 'integers')
    call wherry_free(one)
    call wherry_allocate(comm, seven, [1, 2, 1, 2, 1, 2, 3])
    call require(all(shape(seven) == [1, 2, 1, 2, 1, 2, 3]), 'seven dimensions')
    seven = (1, 2)
    call wherry_free(seven)
    call wherry_allocate(comm, three, [2, 2, 2])
    three = .true.
    call require(count(three) == 8, 'logicals')
    call wherry_free(three)
    call wherry_allocate(no, one, [3], ierror=ierror)
    call require(ierror == WHERRY_ERROR_ARGUMENT .and. .not. associated(one), 'nothing after an error')
  end subroutine
end program
