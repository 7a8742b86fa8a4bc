!> Process grids, and boxes of cells.
module wherry_grids
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use wherry_constants, only: WHERRY_MAX_DIMENSIONS, WHERRY_ORDER_ROWS
  use wherry_errors, only: refuse, refuse_next, settle
  use wherry_handles, only: wherry_communicator, wherry_process_grid, wherry_process_grid_free
  use wherry_interface
  implicit none
  private
  public :: wherry_process_grid_create, wherry_process_grid_dimensions, wherry_process_grid_shape
  public :: wherry_process_grid_coordinates, wherry_process_grid_rank_at, wherry_owned_box, wherry_owner_of
  public :: box_from_c, box_for_c

  !> A box of index space, with both ends included: lower(d) <= x(d) <= upper(d). It is empty if upper(d) < lower(d) for
  !> some d. Global indices of cells begin at 1.
  type, public :: wherry_box
    integer :: dimensions = 0
    integer(int64) :: lower(WHERRY_MAX_DIMENSIONS) = 1, upper(WHERRY_MAX_DIMENSIONS) = 0
  contains
    procedure :: extents => box_extents !< numbers of cells along each dimension, 0 if there are none
    procedure :: contains => box_contains !< whether a cell is in the box
  end type

  !> Options of a process grid, the same on all ranks.
  type, public :: wherry_process_grid_options
    !> For each dimension whether it wraps around. Not allocated: as a Cartesian communicator says, else none does.
    logical, allocatable :: periodic(:)
    !> Number of ranks along each dimension; Wherry chooses those that are 0, and all if it is not allocated.
    integer, allocatable :: extents(:)
    integer :: order = WHERRY_ORDER_ROWS
  end type

  !> wherry_owned_box(grid, cells, box [, axes] [, ierror] [, errmsg]): the box of this rank, in global indices from 1, if
  !> `cells` cells are divided evenly over the grid. `axes` has for each dimension of the data the grid dimension (from 1)
  !> along which it is cut, 0: not cut. Local.
  interface wherry_owned_box
    module procedure owned_box, owned_box_int64
  end interface
  !> wherry_owner_of(grid, cell, cells, rank [, ierror] [, errmsg]): the rank that owns a cell, or -1. Local.
  interface wherry_owner_of
    module procedure owner_of, owner_of_int64
  end interface

contains

  pure function box_extents(box) result(extents)
    class(wherry_box), intent(in) :: box
    integer :: extents(box%dimensions)
    extents = int(max(box%upper(:box%dimensions) - box%lower(:box%dimensions) + 1, 0_int64))
  end function
  pure function box_contains(box, cell) result(inside)
    class(wherry_box), intent(in) :: box
    integer, intent(in) :: cell(:)
    logical :: inside
    integer :: n
    n = min(size(cell), box%dimensions)
    inside = size(cell) == box%dimensions .and. all(cell(:n) >= box%lower(:n) .and. cell(:n) <= box%upper(:n))
  end function

  pure function box_from_c(from) result(box)
    type(c_wherry_box), intent(in) :: from
    type(wherry_box) :: box
    box%dimensions = int(from%dimensions)
    box%lower = from%lower + 1
    box%upper = from%upper
  end function
  pure function box_for_c(box) result(to)
    type(wherry_box), intent(in) :: box
    type(c_wherry_box) :: to
    to%dimensions = int(box%dimensions, c_int)
    to%lower = box%lower - 1
    to%upper = box%upper
  end function

  !> Makes a process grid of 1 to 4 dimensions. Collective over `comm`. Ranks beyond the grid's last place own nothing but
  !> take part in collective calls.
  subroutine wherry_process_grid_create(comm, dimensions, grid, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: dimensions
    type(wherry_process_grid), intent(inout) :: grid
    type(wherry_process_grid_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_process_grid_options), target :: to
    integer(c_int), allocatable, target :: periodic(:), extents(:)
    integer(c_int) :: status
    call wherry_process_grid_free(grid, status)
    to%struct_size = c_sizeof(to)
    if (present(options)) then
      to%order = int(options%order, c_int)
      if (allocated(options%periodic)) then
        periodic = merge(1_c_int, 0_c_int, options%periodic)
        if (size(periodic) /= dimensions) &
          call refuse_next('options%periodic has not as many values as the grid has dimensions')
        if (size(periodic) > 0) to%periodic = c_loc(periodic)
      end if
      if (allocated(options%extents)) then
        extents = int(options%extents, c_int)
        if (size(extents) /= dimensions) &
          call refuse_next('options%extents has not as many values as the grid has dimensions')
        if (size(extents) > 0) to%extents = c_loc(extents)
      end if
    end if
    status = c_process_grid_create(comm%c_handle, int(dimensions, c_int), c_loc(to), grid%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Number of dimensions. Local.
  subroutine wherry_process_grid_dimensions(grid, dimensions, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer, intent(out) :: dimensions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number
    number = 0
    status = c_process_grid_dimensions(grid%c_handle, number)
    dimensions = int(number)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Number of ranks along each dimension, and whether it is periodic. Local.
  subroutine wherry_process_grid_shape(grid, extents, periodic, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer, allocatable, intent(out), optional :: extents(:)
    logical, allocatable, intent(out), optional :: periodic(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number, ranks(4), wraps(4)
    number = 0
    ranks = 0
    wraps = 0
    status = c_process_grid_dimensions(grid%c_handle, number)
    if (status == 0) status = c_process_grid_shape(grid%c_handle, ranks, wraps)
    if (present(extents)) extents = int(ranks(:number))
    if (present(periodic)) periodic = wraps(:number) /= 0
    call settle(status, ierror, errmsg)
  end subroutine

  !> The place of a rank in the grid, counted from 0 as in MPI_Cart_coords; all -1 for a rank outside of the grid. Local.
  subroutine wherry_process_grid_coordinates(grid, rank, coordinates, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer, intent(in) :: rank
    integer, allocatable, intent(out) :: coordinates(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number, at(4)
    number = 0
    at = -1
    status = c_process_grid_dimensions(grid%c_handle, number)
    if (status == 0) status = c_process_grid_coordinates(grid%c_handle, int(rank, c_int), at)
    coordinates = int(at(:number))
    call settle(status, ierror, errmsg)
  end subroutine

  !> The rank at a place, counted from 0, or -1 if there is no such place. Periodic dimensions wrap around. Local.
  subroutine wherry_process_grid_rank_at(grid, coordinates, rank, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer, intent(in) :: coordinates(:)
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number
    integer(c_int), target :: at(4)
    rank = -1
    status = c_process_grid_dimensions(grid%c_handle, number)
    if (status == 0) then
      if (size(coordinates) /= number) then
        status = refuse('wherry_process_grid_rank_at', '''coordinates'' has not as many values as the grid has dimensions')
      else
        at = 0
        at(:number) = int(coordinates, c_int)
        status = c_process_grid_rank_at(grid%c_handle, c_loc(at), number)
        if (status == 0) rank = int(number)
      end if
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine owned_box_int64(grid, cells, box, axes, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer(int64), intent(in) :: cells(:)
    type(wherry_box), intent(out) :: box
    integer, intent(in), optional :: axes(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box) :: from
    integer(c_int), target :: along(max(size(cells), 1))
    integer(c_int64_t), target :: numbers(max(size(cells), 1))
    type(c_ptr) :: list
    integer(c_int) :: status
    list = c_null_ptr
    status = 0
    numbers(:size(cells)) = cells
    if (present(axes)) then
      if (size(axes) /= size(cells)) then
        status = refuse('wherry_owned_box', '''axes'' has not as many values as ''cells''')
      else
        along(:size(cells)) = int(axes, c_int) - 1
        list = c_loc(along)
      end if
    end if
    if (status == 0) status = c_owned_box(grid%c_handle, size(cells, kind=c_int), c_loc(numbers), list, from)
    if (status == 0) box = box_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine owned_box(grid, cells, box, axes, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer(int32), intent(in) :: cells(:)
    type(wherry_box), intent(out) :: box
    integer, intent(in), optional :: axes(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call owned_box_int64(grid, int(cells, int64), box, axes, ierror, errmsg)
  end subroutine

  subroutine owner_of_int64(grid, cell, cells, rank, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer(int64), intent(in) :: cell(:), cells(:)
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, owner
    integer(c_int64_t), target :: place(max(size(cell), 1)), numbers(max(size(cells), 1))
    owner = -1
    place(:size(cell)) = cell - 1
    numbers(:size(cells)) = cells
    if (size(cell) /= size(cells)) then
      status = refuse('wherry_owner_of', '''cell'' has not as many values as ''cells''')
    else
      status = c_owner_of(grid%c_handle, size(cells, kind=c_int), c_loc(place), c_loc(numbers), owner)
    end if
    rank = int(owner)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine owner_of(grid, cell, cells, rank, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    integer(int32), intent(in) :: cell(:), cells(:)
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call owner_of_int64(grid, int(cell, int64), int(cells, int64), rank, ierror, errmsg)
  end subroutine

end module
