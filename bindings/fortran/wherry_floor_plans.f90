!> Floor plans: boxes, and the ranks that own them. Boxes and dimensions count from 1.
module wherry_floor_plans
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: real64
  use wherry_boxes, only: put_domain, require_room, wherry_domain, wherry_widths, widths_for_c
  use wherry_constants
  use wherry_errors, only: refuse, settle, text_of
  use wherry_grids, only: box_for_c, box_from_c, wherry_box
  use wherry_handles
  use wherry_interface
  implicit none
  private
  public :: wherry_floor_plan_create, wherry_floor_plan_create_distributed, wherry_floor_plan_decompose
  public :: wherry_floor_plan_even_blocks, wherry_floor_plan_bisected_blocks, wherry_floor_plan_block_cyclic
  public :: wherry_floor_plan_balance, wherry_floor_plan_resolve, wherry_floor_plan_values, wherry_floor_plan_coarsened
  public :: wherry_floor_plan_size, wherry_floor_plan_box, wherry_floor_plan_owned_by, wherry_floor_plan_find
  public :: wherry_floor_plan_bounding_box, wherry_floor_plan_explain, wherry_floor_plan_to_json

  ! How boxes are assigned to ranks.
  integer, parameter, public :: WHERRY_ASSIGN_HILBERT = 0        !< a piece of a Hilbert curve through the boxes
  integer, parameter, public :: WHERRY_ASSIGN_MORTON = 1         !< a piece of a Z-order curve
  integer, parameter, public :: WHERRY_ASSIGN_ROUND_ROBIN = 2    !< box i goes to rank i - 1 modulo the number of ranks
  integer, parameter, public :: WHERRY_ASSIGN_HEAVIEST_FIRST = 3 !< each box, heaviest first, to the least loaded rank
  integer, parameter, public :: WHERRY_ASSIGN_IN_ORDER = 4       !< each rank gets a piece of the list as it is

contains

  !> Makes a complete floor plan of listed boxes, and the ranks that own them. Local.
  subroutine wherry_floor_plan_create(boxes, owners, plan, ierror, errmsg)
    type(wherry_box), intent(in) :: boxes(:)
    integer, intent(in) :: owners(:)
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box), target :: list(max(size(boxes), 1))
    integer(c_int), target :: ranks(max(size(owners), 1))
    integer(c_int) :: status
    integer :: i, n
    call wherry_floor_plan_free(plan, status)
    do i = 1, size(boxes)
      list(i) = box_for_c(boxes(i))
    end do
    ranks(:size(owners)) = int(owners, c_int)
    n = 1
    if (size(boxes) > 0) n = boxes(1)%dimensions
    if (size(owners) /= size(boxes)) then
      status = refuse('wherry_floor_plan_create', '''owners'' has not as many values as there are boxes')
    else
      status = c_floor_plan_create(int(n, c_int), size(boxes, kind=c_int), c_loc(list), c_loc(ranks), plan%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> Numbers the boxes of all ranks, rank by rank, and makes a partial plan that knows this rank's boxes and, if `reach` is
  !> given, those of other ranks within it, also across the periodic edges of `space`. Collective over `comm`.
  subroutine wherry_floor_plan_create_distributed(comm, dimensions, boxes, plan, reach, space, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(in) :: dimensions
    type(wherry_box), intent(in) :: boxes(:)
    type(wherry_floor_plan), intent(inout) :: plan
    type(wherry_widths), intent(in), optional :: reach
    type(wherry_domain), intent(in), optional :: space
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box), target :: list(max(size(boxes), 1))
    type(c_wherry_widths), target :: widths
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: near, where
    integer(c_int) :: status
    integer :: i
    call wherry_floor_plan_free(plan, status)
    do i = 1, size(boxes)
      list(i) = box_for_c(boxes(i))
    end do
    near = c_null_ptr
    if (present(reach)) then
      widths = widths_for_c(reach)
      near = c_loc(widths)
    end if
    call put_domain(space, domain, where)
    status = c_floor_plan_create_distributed(comm%c_handle, int(dimensions, c_int), size(boxes, kind=c_int), c_loc(list), &
      near, where, plan%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Cuts a box into boxes for so many ranks. With `largest`, no box has a larger extent, and `method` assigns them to
  !> ranks, by `weights` if they are given, for each box; corners are multiples of `multiple_of`. Local.
  subroutine wherry_floor_plan_decompose(cells, ranks, plan, largest, multiple_of, method, weights, ierror, errmsg)
    type(wherry_box), intent(in) :: cells
    integer, intent(in) :: ranks
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(in), optional :: largest(:), multiple_of(:), method
    real(real64), target, contiguous, intent(in), optional :: weights(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_decompose_options), target :: how
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    how%struct_size = c_sizeof(how)
    status = WHERRY_SUCCESS
    if (present(largest)) then
      call require_room('wherry_floor_plan_decompose', 'largest', size(largest), status)
      if (status == WHERRY_SUCCESS) how%largest(:size(largest)) = largest
    end if
    if (present(multiple_of) .and. status == WHERRY_SUCCESS) then
      call require_room('wherry_floor_plan_decompose', 'multiple_of', size(multiple_of), status)
      if (status == WHERRY_SUCCESS) how%multiple_of(:size(multiple_of)) = multiple_of
    end if
    if (present(method)) how%method = int(method, c_int)
    if (present(weights)) then
      how%weight_count = size(weights, kind=c_int)
      if (size(weights) > 0) how%weights = c_loc(weights(1))
    end if
    if (status == WHERRY_SUCCESS) &
      status = c_floor_plan_decompose(box_for_c(cells), int(ranks, c_int), c_loc(how), plan%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Cuts a box evenly into pieces(d) pieces along each dimension d. Box i belongs to owners(i), or without `owners` to rank
  !> i - 1. Local.
  subroutine wherry_floor_plan_even_blocks(cells, pieces, plan, owners, ierror, errmsg)
    type(wherry_box), intent(in) :: cells
    integer, intent(in) :: pieces(:)
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(in), optional :: owners(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), target :: numbers(max(size(pieces), 1))
    integer(c_int), allocatable, target :: ranks(:)
    type(c_ptr) :: list
    integer(c_int) :: status, count
    call wherry_floor_plan_free(plan, status)
    numbers(:size(pieces)) = pieces
    list = c_null_ptr
    count = 0
    if (present(owners)) then
      allocate(ranks(max(size(owners), 1)))
      ranks(:size(owners)) = int(owners, c_int)
      list = c_loc(ranks)
      count = size(owners, kind=c_int)
    end if
    if (size(pieces) /= cells%dimensions) then
      status = refuse('wherry_floor_plan_even_blocks', '''pieces'' has not as many values as ''cells'' has dimensions')
    else
      status = c_floor_plan_even_blocks(box_for_c(cells), c_loc(numbers), count, list, plan%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> Cuts a box in halves again and again, until there is one for each rank. Local.
  subroutine wherry_floor_plan_bisected_blocks(cells, ranks, plan, ierror, errmsg)
    type(wherry_box), intent(in) :: cells
    integer, intent(in) :: ranks
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    call settle(c_floor_plan_bisected_blocks(box_for_c(cells), int(ranks, c_int), plan%c_handle), ierror, errmsg)
  end subroutine
  !> Deals out blocks of these extents in turn to a grid of ranks, as ScaLAPACK does. Local.
  subroutine wherry_floor_plan_block_cyclic(cells, block, process_grid, plan, ierror, errmsg)
    type(wherry_box), intent(in) :: cells
    integer, intent(in) :: block(:), process_grid(:)
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), target :: extents(max(size(block), 1)), ranks(max(size(process_grid), 1))
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    extents(:size(block)) = block
    ranks(:size(process_grid)) = process_grid
    if (size(block) /= cells%dimensions .or. size(process_grid) /= cells%dimensions) then
      status = refuse('wherry_floor_plan_block_cyclic', &
        '''block'' or ''process_grid'' has not as many values as ''cells'' has dimensions')
    else
      status = c_floor_plan_block_cyclic(box_for_c(cells), c_loc(extents), c_loc(ranks), 0_c_int, c_null_ptr, plan%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> The same boxes, assigned to ranks anew. Local.
  subroutine wherry_floor_plan_balance(plan, ranks, balanced, method, weights, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(in) :: ranks
    type(wherry_floor_plan), intent(inout) :: balanced
    integer, intent(in), optional :: method
    real(real64), target, contiguous, intent(in), optional :: weights(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_balance_options), target :: how
    integer(c_int) :: status
    call wherry_floor_plan_free(balanced, status)
    how%struct_size = c_sizeof(how)
    if (present(method)) how%method = int(method, c_int)
    if (present(weights)) then
      how%weight_count = size(weights, kind=c_int)
      if (size(weights) > 0) how%weights = c_loc(weights(1))
    end if
    call settle(c_floor_plan_balance(plan%c_handle, int(ranks, c_int), c_loc(how), balanced%c_handle), ierror, errmsg)
  end subroutine
  !> A partial plan that knows the boxes within `reach` of this rank's. Collective over `comm`.
  subroutine wherry_floor_plan_resolve(comm, plan, reach, resolved, space, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_floor_plan), intent(in) :: plan
    type(wherry_widths), intent(in) :: reach
    type(wherry_floor_plan), intent(inout) :: resolved
    type(wherry_domain), intent(in), optional :: space
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_widths), target :: widths
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_floor_plan_free(resolved, status)
    widths = widths_for_c(reach)
    call put_domain(space, domain, where)
    status = c_floor_plan_resolve(comm%c_handle, plan%c_handle, c_loc(widths), where, resolved%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The plan of the values of boxes of cells, one more along each dimension in which they sit on planes. Local.
  subroutine wherry_floor_plan_values(plan, on_planes, values, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    logical, intent(in) :: on_planes(:)
    type(wherry_floor_plan), intent(inout) :: values
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int), target :: planes(WHERRY_MAX_DIMENSIONS)
    integer(c_int) :: status
    call wherry_floor_plan_free(values, status)
    planes = 0
    call require_room('wherry_floor_plan_values', 'on_planes', size(on_planes), status)
    if (status == WHERRY_SUCCESS) then
      planes(:size(on_planes)) = merge(1_c_int, 0_c_int, on_planes)
      status = c_floor_plan_values(plan%c_handle, c_loc(planes), values%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> The plan of the coarse cells that contain the boxes of a fine plan, and `reach` cells around them. Local.
  subroutine wherry_floor_plan_coarsened(fine, ratio, reach, coarse, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: fine
    integer, intent(in) :: ratio(:), reach
    type(wherry_floor_plan), intent(inout) :: coarse
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), target :: numbers(WHERRY_MAX_DIMENSIONS)
    integer(c_int) :: status
    call wherry_floor_plan_free(coarse, status)
    numbers = 1
    call require_room('wherry_floor_plan_coarsened', 'ratio', size(ratio), status)
    if (status == WHERRY_SUCCESS) then
      numbers(:size(ratio)) = ratio
      status = c_floor_plan_coarsened(fine%c_handle, c_loc(numbers), int(reach, c_int64_t), coarse%c_handle)
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  !> The number of boxes, and of those that the plan knows. Local.
  subroutine wherry_floor_plan_size(plan, boxes, known, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(out) :: boxes
    integer, intent(out), optional :: known, ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, numbers(3)
    numbers = 0
    status = c_floor_plan_size(plan%c_handle, numbers(1), numbers(2), numbers(3))
    boxes = int(numbers(1))
    if (present(known)) known = int(numbers(2))
    call settle(status, ierror, errmsg)
  end subroutine
  !> A box by its number, from 1, and the rank that owns it. Local.
  subroutine wherry_floor_plan_box(plan, number, box, owner, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(in) :: number
    type(wherry_box), intent(out) :: box
    integer, intent(out), optional :: owner, ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box) :: from
    integer(c_int) :: status, rank
    rank = -1
    status = c_floor_plan_box(plan%c_handle, int(number - 1, c_int), from, rank)
    if (status == 0) box = box_from_c(from)
    if (present(owner)) owner = int(rank)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The numbers of the boxes of a rank, from 1, ascending. Local.
  subroutine wherry_floor_plan_owned_by(plan, rank, numbers, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(in) :: rank
    integer, allocatable, intent(out) :: numbers(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int), allocatable :: list(:)
    integer(c_int) :: status, count, known(3)
    known = 0
    count = 0
    status = c_floor_plan_size(plan%c_handle, known(1), known(2), known(3))
    allocate(list(max(known(2), 1)))
    if (status == 0) status = c_floor_plan_owned_by(plan%c_handle, int(rank, c_int), size(list, kind=c_int), list, count)
    allocate(numbers(count))
    numbers = int(list(:count)) + 1
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of the first box that contains a cell, from 1, and its owner; 0 and -1 if there is none. Local.
  subroutine wherry_floor_plan_find(plan, cell, number, owner, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    integer, intent(in) :: cell(:)
    integer, intent(out) :: number
    integer, intent(out), optional :: owner, ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), target :: point(max(size(cell), WHERRY_MAX_DIMENSIONS))
    integer(c_int) :: status, found, rank
    point = 0
    point(:size(cell)) = cell - 1
    found = -1
    rank = -1
    status = c_floor_plan_find(plan%c_handle, c_loc(point), found, rank)
    number = int(found) + 1
    if (present(owner)) owner = int(rank)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The smallest box that contains all boxes. Local.
  subroutine wherry_floor_plan_bounding_box(plan, box, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    type(wherry_box), intent(out) :: box
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box) :: from
    integer(c_int) :: status
    status = c_floor_plan_bounding_box(plan%c_handle, from)
    if (status == 0) box = box_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The boxes as a table that people can read. Local.
  subroutine wherry_floor_plan_explain(plan, text, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_floor_plan_explain(plan%c_handle, 0_c_int, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The boxes as JSON. Local.
  subroutine wherry_floor_plan_to_json(plan, text, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_floor_plan_to_json(plan%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

end module
