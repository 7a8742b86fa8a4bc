!> X-arrays: the grids of each rank over the boxes that it owns. Grids, boxes and components count from 1.
module wherry_x_arrays
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_loc, c_sizeof
  use wherry_boxes, only: wherry_widths, widths_for_c
  use wherry_constants
  use wherry_errors, only: refuse, settle
  use wherry_grids, only: box_from_c, wherry_box
  use wherry_handles
  use wherry_interface
  use wherry_options, only: WHERRY_MAX_NAME, names_for_c, put_name
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_x_array_create, wherry_x_array_create_over, wherry_x_array_shape, wherry_x_array_block
  public :: wherry_x_array_find, wherry_x_array_plan, wherry_x_array_adopt, block_from_c

  ! The order of the elements of a grid in memory.
  integer, parameter, public :: WHERRY_LAYOUT_FORTRAN = 0 !< the first dimension is contiguous
  integer, parameter, public :: WHERRY_LAYOUT_C = 1       !< the last dimension is contiguous

  !> Options of an x-array, the same on all ranks.
  type, public :: wherry_x_array_options
    type(wherry_widths) :: ghost_width = wherry_widths() !< layers of ghost cells around each box
    logical :: on_planes(WHERRY_MAX_DIMENSIONS) = .false. !< along this dimension the values sit on planes between cells
    integer :: layout = WHERRY_LAYOUT_FORTRAN
    integer :: components = 1 !< number of arrays over each box, one behind the other
    integer :: numbers = 1    !< an element consists of this many numbers side by side
    logical :: dense_rows = .false. !< rows are never lengthened to spread them over the cache
    integer :: space = WHERRY_HOST
    character(WHERRY_MAX_NAME) :: name = '' !< for errors
  end type

  !> A grid of this rank.
  type, public :: wherry_block
    integer :: number = 0     !< of the box in the floor plan, from 1
    integer :: components = 1
    type(wherry_box) :: core = wherry_box() !< the values of the box, without ghost values
    type(wherry_box) :: whole = wherry_box() !< with ghost values: the indices of the grid
    !> The elements, whose indices are the global ones; with several components, these are one more dimension, the last.
    !> wherry_associate lets a pointer point to them.
    type(wherry_view) :: values
  end type

contains

  subroutine put_array_options(from, to, names)
    type(wherry_x_array_options), intent(in), optional :: from
    type(c_wherry_x_array_options), intent(inout) :: to
    type(names_for_c), target, intent(inout) :: names
    to%struct_size = c_sizeof(to)
    if (.not. present(from)) return
    to%ghost_width = widths_for_c(from%ghost_width)
    to%on_planes = merge(1_c_int, 0_c_int, from%on_planes)
    to%layout = int(from%layout, c_int)
    to%components = int(from%components, c_int)
    to%numbers = int(from%numbers, c_int)
    to%dense_rows = merge(1_c_int, 0_c_int, from%dense_rows)
    to%space = int(from%space, c_int)
    to%name = put_name(from%name, names%name)
  end subroutine
  !> Allocates this rank's grids, filled with zeros. Local; all ranks make x-arrays with the same options.
  subroutine wherry_x_array_create(comm, plan, type, array, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_floor_plan), intent(in) :: plan
    integer(c_int32_t), intent(in) :: type
    type(wherry_x_array), intent(inout) :: array
    type(wherry_x_array_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_x_array_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_x_array_free(array, status)
    call put_array_options(options, how, names)
    call settle(c_x_array_create(comm%c_handle, plan%c_handle, type, c_loc(how), array%c_handle), ierror, errmsg)
  end subroutine
  !> Makes an x-array of the program's arrays, one for each box of this rank, ascending by their numbers, which must outlive
  !> it and all that is made of it. Their extents are those of `whole` of the block; with several components they have one
  !> more dimension, the last. Local.
  subroutine wherry_x_array_create_over(comm, plan, type, grids, array, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_floor_plan), intent(in) :: plan
    integer(c_int32_t), intent(in) :: type
    type(wherry_view), intent(in) :: grids(:)
    type(wherry_x_array), intent(inout) :: array
    type(wherry_x_array_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_x_array_options), target :: how
    type(c_wherry_view), target :: list(max(size(grids), 1))
    type(names_for_c), target :: names
    integer(c_int) :: status
    integer :: i
    call wherry_x_array_free(array, status)
    call put_array_options(options, how, names)
    status = 0
    do i = 1, size(grids)
      list(i) = grids(i)%c
      if (fault_of(grids(i)) /= '') status = refuse('wherry_x_array_create_over', 'a grid is wrong: ' // fault_of(grids(i)))
    end do
    if (status == 0) status = c_x_array_create_over(comm%c_handle, plan%c_handle, type, size(grids, kind=c_int), &
      c_loc(list), c_loc(how), array%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of dimensions, of this rank's grids, and of components; the type of the numbers. Local.
  subroutine wherry_x_array_shape(array, dimensions, blocks, components, type, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    integer, intent(out), optional :: dimensions, blocks, components
    integer(c_int32_t), intent(out), optional :: type
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, numbers(3)
    integer(c_int32_t) :: element
    numbers = 0
    element = 0
    status = c_x_array_shape(array%c_handle, numbers(1), numbers(2), numbers(3), element)
    if (present(dimensions)) dimensions = int(numbers(1))
    if (present(blocks)) blocks = int(numbers(2))
    if (present(components)) components = int(numbers(3))
    if (present(type)) type = element
    call settle(status, ierror, errmsg)
  end subroutine
  !> One of this rank's grids, by its index from 1, ascending by the boxes' numbers. Local.
  subroutine wherry_x_array_block(array, index, block, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    integer, intent(in) :: index
    type(wherry_block), intent(out) :: block
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_block) :: from
    integer(c_int) :: status
    status = c_x_array_block(array%c_handle, int(index - 1, c_int), from)
    if (status == 0) block = block_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The grid of a box by the box's number, from 1. Local.
  subroutine wherry_x_array_find(array, number, block, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    integer, intent(in) :: number
    type(wherry_block), intent(out) :: block
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_block) :: from
    integer(c_int) :: status
    status = c_x_array_find(array%c_handle, int(number - 1, c_int), from)
    if (status == 0) block = block_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  function block_from_c(from) result(block)
    type(c_wherry_block), intent(in) :: from
    type(wherry_block) :: block
    integer :: n
    block%number = int(from%number) + 1
    block%components = int(from%components)
    block%core = box_from_c(from%core)
    block%whole = box_from_c(from%whole)
    block%values%c = from%values
    n = int(from%values%dimensions)
    block%values%lower(:n) = block%whole%lower(:n)
    if (from%components > 1 .and. n < WHERRY_MAX_DIMENSIONS) then
      block%values%c%dimensions = from%values%dimensions + 1
      block%values%c%extents(n + 1) = from%components
      block%values%c%strides(n + 1) = from%component_stride
    end if
  end function
  !> The array's floor plan. Local.
  subroutine wherry_x_array_plan(array, plan, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    call settle(c_x_array_plan(array%c_handle, plan%c_handle), ierror, errmsg)
  end subroutine
  !> Replaces the floor plan by one that knows other neighbours. Local; no data moves.
  subroutine wherry_x_array_adopt(array, plan, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_x_array_adopt(array%c_handle, plan%c_handle), ierror, errmsg)
  end subroutine

end module
