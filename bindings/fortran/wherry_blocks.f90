!> Blocks: floor plans, x-arrays, motion plans, movers, array files. Cells count from 1, boxes include both ends, and boxes,
!> grids and dimensions count from 1.
module wherry_blocks
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use wherry_constants
  use wherry_errors, only: for_c, refuse, refuse_next, settle, text_of
  use wherry_exchanges, only: wherry_statistics
  use wherry_grids, only: box_for_c, box_from_c, wherry_box
  use wherry_halos, only: fields_for_c, halo_memory, halo_options_for_c, wherry_field, wherry_halo_options
  use wherry_handles
  use wherry_interface
  use wherry_options
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: domain_for_c
  public :: wherry_make_box, wherry_open_domain, wherry_torus, wherry_same_widths
  public :: wherry_floor_plan_create, wherry_floor_plan_create_distributed, wherry_floor_plan_decompose
  public :: wherry_floor_plan_even_blocks, wherry_floor_plan_bisected_blocks, wherry_floor_plan_block_cyclic
  public :: wherry_floor_plan_balance, wherry_floor_plan_resolve, wherry_floor_plan_values, wherry_floor_plan_coarsened
  public :: wherry_floor_plan_size, wherry_floor_plan_box, wherry_floor_plan_owned_by, wherry_floor_plan_find
  public :: wherry_floor_plan_bounding_box, wherry_floor_plan_explain, wherry_floor_plan_to_json
  public :: wherry_x_array_create, wherry_x_array_create_over, wherry_x_array_shape, wherry_x_array_block
  public :: wherry_x_array_find, wherry_x_array_plan, wherry_x_array_adopt
  public :: wherry_motion_plan_create, wherry_motion_plan_add, wherry_motion_plan_append, wherry_motion_plan_clear
  public :: wherry_motion_plan_size, wherry_motion_plan_entry, wherry_motion_plan_halo
  public :: wherry_motion_plan_redistribution, wherry_motion_plan_transposition, wherry_motion_plan_reversed
  public :: wherry_motion_plan_stages, wherry_motion_plan_explain
  public :: wherry_mover_create, wherry_mover_start_with, wherry_ghost_filler_create, wherry_redistribute
  public :: wherry_halo_exchange_create_on_plan
  public :: wherry_write_array, wherry_read_array, wherry_read_floor_plan, wherry_array_series_create
  public :: wherry_array_series_write, wherry_array_series_read, wherry_array_series_size, wherry_array_series_steps
  public :: wherry_array_writer_create, wherry_array_writer_start, wherry_array_writer_test, wherry_array_writer_wait

  ! How boxes are assigned to ranks.
  integer, parameter, public :: WHERRY_ASSIGN_HILBERT = 0        !< a piece of a Hilbert curve through the boxes
  integer, parameter, public :: WHERRY_ASSIGN_MORTON = 1         !< a piece of a Z-order curve
  integer, parameter, public :: WHERRY_ASSIGN_ROUND_ROBIN = 2    !< box i goes to rank i - 1 modulo the number of ranks
  integer, parameter, public :: WHERRY_ASSIGN_HEAVIEST_FIRST = 3 !< each box, heaviest first, to the least loaded rank
  integer, parameter, public :: WHERRY_ASSIGN_IN_ORDER = 4       !< each rank gets a piece of the list as it is
  ! The order of the elements of a grid in memory.
  integer, parameter, public :: WHERRY_LAYOUT_FORTRAN = 0 !< the first dimension is contiguous
  integer, parameter, public :: WHERRY_LAYOUT_C = 1       !< the last dimension is contiguous

  !> The index space of a whole problem: a box of cells, whose opposite faces meet in each periodic dimension.
  type, public :: wherry_domain
    type(wherry_box) :: cells
    logical :: periodic(WHERRY_MAX_DIMENSIONS) = .false.
  end type

  !> Numbers of layers on the low and the high side of each dimension.
  type, public :: wherry_widths
    integer :: minus(WHERRY_MAX_DIMENSIONS) = 0, plus(WHERRY_MAX_DIMENSIONS) = 0
  end type

  !> Options of an x-array, the same on all ranks.
  type, public :: wherry_x_array_options
    type(wherry_widths) :: ghost_width !< layers of ghost cells around each box
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
    type(wherry_box) :: core  !< the values of the box, without ghost values
    type(wherry_box) :: whole !< with ghost values: the indices of the grid
    !> The elements, whose indices are the global ones; with several components, these are one more dimension, the last.
    !> wherry_associate lets a pointer point to them.
    type(wherry_view) :: values
  end type

  !> One entry of a motion plan: the cells `source` of box `from` go to `destination` of box `to`.
  type, public :: wherry_motion
    integer :: from = 1, to = 1
    type(wherry_box) :: source, destination
    !> Not allocated: the axes stay. Else cell q of the destination gets the cell p for which p(axes(d)) = q(d), relative
    !> to the first cells.
    integer, allocatable :: axes(:)
  end type

  !> A motion plan, the arrays between which it moves, and what happens on arrival.
  type, public :: wherry_movement
    type(c_ptr), private :: motions = c_null_ptr, source = c_null_ptr, destination = c_null_ptr
    type(wherry_reduction) :: update !< combines arriving elements with those that are there; by default they are stored
    integer :: stage = 1 !< a stage begins when everything of the one before has arrived
  contains
    procedure :: set => set_movement !< movement%set(motions, source, destination)
  end type

  !> Options of a mover, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_mover_options
    type(wherry_reduction) :: update !< of the movements that have none of their own
    logical :: in_parts = .false. !< each grid of the sources is a part for wherry_exchange_start_in_parts
    type(wherry_carry_options) :: carry
  end type

  !> Options of a ghost filler, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_ghost_options
    integer :: stencil = WHERRY_STENCIL_ALL
    integer, allocatable :: directions(:,:) !< as in wherry_halo_options
    type(wherry_reduction) :: combine_copies !< combines all copies of each value and gives all of them the result
    type(wherry_widths) :: contributing !< with `combine_copies`: the ghost layers whose values count, too
    logical :: in_parts = .false. !< each grid is a part for wherry_exchange_start_in_parts
    type(wherry_carry_options) :: carry
  end type

  !> Options for writing and reading files, the same on all ranks.
  type, public :: wherry_array_file_options
    character(103) :: type = '' !< the name of the element type in the file; blank: 'float64' and so on
    logical :: snapshot = .false. !< for writing: the array is copied at the start and may then be changed
    integer(int64) :: buffer_bytes = 0 !< size of a rank's transfer buffer; 0: 64 MiB
    integer(int64) :: piece = 0 !< for writing: about how many bytes share a checksum; 0: 1 MiB
  end type

contains

  !> A box, with both ends included.
  pure function wherry_make_box(lower, upper) result(box)
    integer, intent(in) :: lower(:), upper(:)
    type(wherry_box) :: box
    integer :: n
    n = min(size(lower), size(upper), WHERRY_MAX_DIMENSIONS)
    box%dimensions = n
    box%lower(:n) = lower(:n)
    box%upper(:n) = upper(:n)
  end function
  !> The domain of these cells that is periodic in no dimension.
  pure function wherry_open_domain(cells) result(space)
    type(wherry_box), intent(in) :: cells
    type(wherry_domain) :: space
    space%cells = cells
  end function
  !> The domain of these cells that is periodic in all dimensions.
  pure function wherry_torus(cells) result(space)
    type(wherry_box), intent(in) :: cells
    type(wherry_domain) :: space
    space%cells = cells
    space%periodic = .true.
  end function
  !> The same number of layers on all sides.
  pure function wherry_same_widths(width) result(widths)
    integer, intent(in) :: width
    type(wherry_widths) :: widths
    widths%minus = width
    widths%plus = width
  end function

  function domain_for_c(from) result(to)
    type(wherry_domain), intent(in) :: from
    type(c_wherry_domain) :: to
    to%cells = box_for_c(from%cells)
    to%periodic = merge(1_c_int, 0_c_int, from%periodic)
  end function
  function widths_for_c(from) result(to)
    type(wherry_widths), intent(in) :: from
    type(c_wherry_widths) :: to
    to%minus = from%minus
    to%plus = from%plus
  end function

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
  subroutine put_domain(space, domain, where)
    type(wherry_domain), intent(in), optional :: space
    type(c_wherry_domain), target, intent(inout) :: domain
    type(c_ptr), intent(out) :: where
    where = c_null_ptr
    if (.not. present(space)) return
    domain = domain_for_c(space)
    where = c_loc(domain)
  end subroutine

  !> Refuses a list with more values than C has room for.
  subroutine require_room(where, list, count, status)
    character(*), intent(in) :: where, list
    integer, intent(in) :: count
    integer(c_int), intent(out) :: status
    status = WHERRY_SUCCESS
    if (count > WHERRY_MAX_DIMENSIONS) status = refuse(where, '''' // list // ''' has more values than there are dimensions')
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
    if (status == 0) call put_block(from, block)
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
    if (status == 0) call put_block(from, block)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine put_block(from, block)
    type(c_wherry_block), intent(in) :: from
    type(wherry_block), intent(inout) :: block
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
  end subroutine
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

  !> Makes an empty list of motions. Local.
  subroutine wherry_motion_plan_create(dimensions, motions, ierror, errmsg)
    integer, intent(in) :: dimensions
    type(wherry_motion_plan), intent(inout) :: motions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_motion_plan_free(motions, status)
    call settle(c_motion_plan_create(int(dimensions, c_int), motions%c_handle), ierror, errmsg)
  end subroutine
  !> Adds an entry. Local.
  subroutine wherry_motion_plan_add(motions, entry, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    type(wherry_motion), intent(in) :: entry
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_motion), target :: to
    integer(c_int) :: status
    status = WHERRY_SUCCESS
    to%from = int(entry%from - 1, c_int)
    to%to = int(entry%to - 1, c_int)
    to%source = box_for_c(entry%source)
    to%destination = box_for_c(entry%destination)
    if (allocated(entry%axes)) then
      to%turned = 1
      if (size(entry%axes) /= entry%source%dimensions) then
        status = refuse('wherry_motion_plan_add', '''entry%axes'' has not as many values as ''entry%source'' has dimensions')
      else
        call require_room('wherry_motion_plan_add', 'entry%axes', size(entry%axes), status)
        if (status == WHERRY_SUCCESS) to%axes(:size(entry%axes)) = int(entry%axes - 1, c_int)
      end if
    end if
    if (status == WHERRY_SUCCESS) status = c_motion_plan_add(motions%c_handle, c_loc(to))
    call settle(status, ierror, errmsg)
  end subroutine
  !> Adds the entries of another list. Local.
  subroutine wherry_motion_plan_append(motions, other, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions, other
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_motion_plan_append(motions%c_handle, other%c_handle), ierror, errmsg)
  end subroutine
  !> Takes all entries away. Local.
  subroutine wherry_motion_plan_clear(motions, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_motion_plan_clear(motions%c_handle), ierror, errmsg)
  end subroutine
  !> The number of entries of a list. Local.
  subroutine wherry_motion_plan_size(motions, count, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    integer, intent(out) :: count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: number
    integer(c_int) :: status
    number = 0
    status = c_motion_plan_size(motions%c_handle, number)
    count = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> An entry of a list, by its index from 1. Local.
  subroutine wherry_motion_plan_entry(motions, index, entry, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    integer, intent(in) :: index
    type(wherry_motion), intent(out) :: entry
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_motion) :: from
    integer(c_int) :: status
    status = c_motion_plan_entry(motions%c_handle, int(index, c_int64_t) - 1, from)
    if (status == 0) then
      entry%from = int(from%from) + 1
      entry%to = int(from%to) + 1
      entry%source = box_from_c(from%source)
      entry%destination = box_from_c(from%destination)
      if (from%turned /= 0) then
        allocate(entry%axes(from%source%dimensions))
        entry%axes = int(from%axes(:from%source%dimensions)) + 1
      end if
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> The motions that fill the ghost cells of these widths. Local.
  subroutine wherry_motion_plan_halo(plan, widths, motions, space, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: plan
    type(wherry_widths), intent(in) :: widths
    type(wherry_motion_plan), intent(inout) :: motions
    type(wherry_domain), intent(in), optional :: space
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_widths), target :: layers
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_motion_plan_free(motions, status)
    layers = widths_for_c(widths)
    call put_domain(space, domain, where)
    call settle(c_motion_plan_halo(plan%c_handle, c_loc(layers), where, c_null_ptr, motions%c_handle), ierror, errmsg)
  end subroutine
  !> The cells that two floor plans have in common, periodic images included. Local.
  subroutine wherry_motion_plan_redistribution(from, to, motions, space, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: from, to
    type(wherry_motion_plan), intent(inout) :: motions
    type(wherry_domain), intent(in), optional :: space
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_motion_plan_free(motions, status)
    call put_domain(space, domain, where)
    status = c_motion_plan_redistribution(from%c_handle, c_null_ptr, to%c_handle, where, motions%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The same with exchanged axes: cell q of the destination gets the cell p of the source for which p(axes(d)) = q(d).
  subroutine wherry_motion_plan_transposition(from, to, axes, motions, ierror, errmsg)
    type(wherry_floor_plan), intent(in) :: from, to
    integer, intent(in) :: axes(:)
    type(wherry_motion_plan), intent(inout) :: motions
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int), target :: list(max(size(axes), WHERRY_MAX_DIMENSIONS))
    integer(c_int) :: status
    call wherry_motion_plan_free(motions, status)
    list = -1
    list(:size(axes)) = int(axes - 1, c_int)
    status = c_motion_plan_transposition(from%c_handle, to%c_handle, c_loc(list), motions%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The entries from the destinations back to the sources. Local.
  subroutine wherry_motion_plan_reversed(motions, back, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    type(wherry_motion_plan), intent(inout) :: back
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_motion_plan_free(back, status)
    call settle(c_motion_plan_reversed(motions%c_handle, back%c_handle), ierror, errmsg)
  end subroutine
  !> The number of stages. Local.
  subroutine wherry_motion_plan_stages(motions, stages, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    integer, intent(out) :: stages
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number
    number = 0
    status = c_motion_plan_stages(motions%c_handle, number)
    stages = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The entries of all ranks as a table that people can read. Local.
  subroutine wherry_motion_plan_explain(motions, source, destination, text, ierror, errmsg)
    type(wherry_motion_plan), intent(in) :: motions
    type(wherry_floor_plan), intent(in) :: source, destination
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_motion_plan_explain(motions%c_handle, source%c_handle, destination%c_handle, 0_c_int, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine set_movement(movement, motions, source, destination)
    class(wherry_movement), intent(inout) :: movement
    type(wherry_motion_plan), intent(in) :: motions
    type(wherry_x_array), intent(in) :: source, destination
    movement%motions = motions%c_handle
    movement%source = source%c_handle
    movement%destination = destination%c_handle
  end subroutine
  !> Plans and binds movements; everything for one rank travels in one message. Within a stage, no movement may write cells
  !> that another one reads or writes. Collective over `comm`, which is that of all arrays.
  subroutine wherry_mover_create(comm, movements, exchange, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_movement), intent(in) :: movements(:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_mover_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_movement), target :: list(max(size(movements), 1))
    character(kind=c_char), target :: updates(WHERRY_MAX_NAME + 1, max(size(movements), 1))
    type(c_wherry_mover_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    integer :: i
    call wherry_exchange_free(exchange, status)
    do i = 1, size(movements)
      list(i)%motions = movements(i)%motions
      list(i)%source = movements(i)%source
      list(i)%destination = movements(i)%destination
      list(i)%update = reduction_for_c(movements(i)%update, updates(:, i))
      list(i)%stage = int(movements(i)%stage - 1, c_int)
    end do
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      how%update = reduction_for_c(options%update, names%update)
      how%in_parts = merge(1_c_int, 0_c_int, options%in_parts)
      how%carry = carry_for_c(options%carry, names)
    end if
    status = c_mover_create(comm%c_handle, size(movements, kind=c_int), c_loc(list), c_loc(how), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Begins a mover or ghost filler with other arrays of exactly the same shapes: the source and the destination of each
  !> movement, in turn. They must outlive the starts that use them.
  subroutine wherry_mover_start_with(exchange, arrays, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    type(wherry_x_array), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: list(max(size(arrays), 1))
    list(:size(arrays)) = arrays%c_handle
    call settle(c_mover_start_with(exchange%c_handle, size(arrays, kind=c_int), c_loc(list)), ierror, errmsg)
  end subroutine

  !> Makes the exchange that fills the ghost cells of an x-array from the boxes that hold these cells. Values on planes that
  !> several boxes share are copied from their owner. Collective over the array's communicator.
  subroutine wherry_ghost_filler_create(array, exchange, space, options, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_domain), intent(in), optional :: space
    type(wherry_ghost_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_ghost_options), target :: how
    type(c_wherry_domain), target :: domain
    integer(c_int), allocatable, target :: directions(:)
    type(names_for_c), target :: names
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    call put_domain(space, domain, where)
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      how%stencil = int(options%stencil, c_int)
      if (allocated(options%directions)) then
        allocate(directions(max(size(options%directions), 1)))
        directions(:size(options%directions)) = int(reshape(options%directions, [size(options%directions)]), c_int)
        how%directions = c_loc(directions)
        how%direction_count = size(options%directions, 2, kind=c_int)
      end if
      how%combine_copies = reduction_for_c(options%combine_copies, names%combine_copies)
      how%contributing = widths_for_c(options%contributing)
      how%in_parts = merge(1_c_int, 0_c_int, options%in_parts)
      how%carry = carry_for_c(options%carry, names)
    end if
    call settle(c_ghost_filler_create(array%c_handle, where, c_loc(how), exchange%c_handle), ierror, errmsg)
  end subroutine
  !> Moves all cells that two x-arrays have in common, in one call. Numbers of another type are converted. Collective.
  subroutine wherry_redistribute(from, to, space, ierror, errmsg)
    type(wherry_x_array), intent(in) :: from, to
    type(wherry_domain), intent(in), optional :: space
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: where
    call put_domain(space, domain, where)
    call settle(c_redistribute(from%c_handle, to%c_handle, where), ierror, errmsg)
  end subroutine
  !> Plans and binds a halo exchange of fields over a floor plan of 1 to 4 dimensions, with any number of boxes a rank:
  !> fields(:, i) are the fields of this rank's i-th box. A rank without boxes gives an array of extents [fields, 0].
  !> Collective over `comm`.
  subroutine wherry_halo_exchange_create_on_plan(comm, plan, fields, exchange, space, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_floor_plan), intent(in) :: plan
    type(wherry_field), intent(in) :: fields(:,:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_domain), intent(in), optional :: space
    type(wherry_halo_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_field), target :: list(max(size(fields), 1))
    type(c_wherry_halo_options), target :: how
    type(halo_memory), target :: memory
    type(c_wherry_domain), target :: domain
    type(c_ptr) :: where
    integer(c_int) :: status, n
    call wherry_exchange_free(exchange, status)
    call put_domain(space, domain, where)
    call fields_for_c(reshape(fields, [size(fields)]), list(:size(fields)), memory)
    how%struct_size = c_sizeof(how)
    n = 0
    status = c_floor_plan_dimensions(plan%c_handle, n)
    if (present(options)) call halo_options_for_c(options, int(n), how, memory)
    status = c_halo_exchange_create_on_plan(comm%c_handle, plan%c_handle, where, size(fields, 2, kind=c_int), &
      size(fields, 1, kind=c_int), c_loc(list), c_loc(how), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine put_file_options(options, how, name)
    type(wherry_array_file_options), intent(in), optional :: options
    type(c_wherry_array_file_options), intent(inout) :: how
    character(kind=c_char), allocatable, target, intent(inout) :: name(:)
    how%struct_size = c_sizeof(how)
    if (.not. present(options)) return
    allocate(name(len_trim(options%type) + 1))
    name(:) = for_c(options%type)
    if (options%type /= '') how%type = c_loc(name)
    how%snapshot = merge(1_c_int, 0_c_int, options%snapshot)
    how%buffer_bytes = options%buffer_bytes
    how%piece = options%piece
  end subroutine
  subroutine put_section(section, box, where)
    type(wherry_box), intent(in), optional :: section
    type(c_wherry_box), target, intent(inout) :: box
    type(c_ptr), intent(out) :: where
    where = c_null_ptr
    if (.not. present(section)) return
    box = box_for_c(section)
    where = c_loc(box)
  end subroutine
  !> Writes the boxes of an x-array, or of a section of it, without their ghost cells. A write either completes or leaves
  !> the previous file as it was. Collective over the array's communicator.
  subroutine wherry_write_array(path, array, section, options, ierror, errmsg)
    character(*), intent(in) :: path
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    call settle(c_write_array(for_c(path), array%c_handle, where, c_loc(how)), ierror, errmsg)
  end subroutine
  !> Fills those cells of an x-array that are in the file; `filled` is their number on all ranks. Collective.
  subroutine wherry_read_array(path, array, section, filled, options, ierror, errmsg)
    character(*), intent(in) :: path
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    integer(int64), intent(out), optional :: filled
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int64_t) :: cells
    integer(c_int) :: status
    cells = 0
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    status = c_read_array(for_c(path), array%c_handle, where, c_loc(how), cells)
    if (present(filled)) filled = cells
    call settle(status, ierror, errmsg)
  end subroutine
  !> Reads the boxes of a file as a floor plan, assigned to the ranks in the order of the file. Collective over `comm`.
  subroutine wherry_read_floor_plan(comm, path, plan, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    character(*), intent(in) :: path
    type(wherry_floor_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_floor_plan_free(plan, status)
    call settle(c_read_floor_plan(comm%c_handle, for_c(path), plan%c_handle), ierror, errmsg)
  end subroutine
  !> Opens a file of many arrays, each under a name and a step, or creates it. Collective over `comm`.
  subroutine wherry_array_series_create(comm, path, series, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    character(*), intent(in) :: path
    type(wherry_array_series), intent(inout) :: series
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_array_series_free(series, status)
    call settle(c_array_series_create(comm%c_handle, for_c(path), series%c_handle), ierror, errmsg)
  end subroutine
  !> Adds an array to the file. Collective.
  subroutine wherry_array_series_write(series, name, step, array, section, options, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer, intent(in) :: step
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: type_name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    call put_section(section, box, where)
    call put_file_options(options, how, type_name)
    call settle(c_array_series_write(series%c_handle, for_c(name), int(step, c_int64_t), array%c_handle, where, &
      c_loc(how)), ierror, errmsg)
  end subroutine
  !> Fills those cells of an x-array that are in the file under this name and step. Collective.
  subroutine wherry_array_series_read(series, name, step, array, section, filled, options, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer, intent(in) :: step
    type(wherry_x_array), intent(in) :: array
    type(wherry_box), intent(in), optional :: section
    integer(int64), intent(out), optional :: filled
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: type_name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int64_t) :: cells
    integer(c_int) :: status
    cells = 0
    call put_section(section, box, where)
    call put_file_options(options, how, type_name)
    status = c_array_series_read(series%c_handle, for_c(name), int(step, c_int64_t), array%c_handle, where, c_loc(how), cells)
    if (present(filled)) filled = cells
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of arrays in the file. Local.
  subroutine wherry_array_series_size(series, count, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    integer, intent(out) :: count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: number
    integer(c_int) :: status
    number = 0
    status = c_array_series_size(series%c_handle, number)
    count = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The steps under which the file has an array of this name. Local.
  subroutine wherry_array_series_steps(series, name, steps, ierror, errmsg)
    type(wherry_array_series), intent(in) :: series
    character(*), intent(in) :: name
    integer(int64), allocatable, intent(out) :: steps(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t), allocatable :: list(:)
    integer(c_int64_t) :: all
    integer(c_int) :: status, count
    all = 0
    count = 0
    status = c_array_series_size(series%c_handle, all)
    allocate(list(max(all, 1_c_int64_t)))
    if (status == 0) status = c_array_series_steps(series%c_handle, for_c(name), size(list, kind=c_int), list, count)
    allocate(steps(count))
    steps = list(:count)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes what writes the same x-array any number of times while the program computes. Collective.
  subroutine wherry_array_writer_create(array, writer, section, options, ierror, errmsg)
    type(wherry_x_array), intent(in) :: array
    type(wherry_array_writer), intent(inout) :: writer
    type(wherry_box), intent(in), optional :: section
    type(wherry_array_file_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_array_file_options), target :: how
    character(kind=c_char), allocatable, target :: name(:)
    type(c_wherry_box), target :: box
    type(c_ptr) :: where
    integer(c_int) :: status
    call wherry_array_writer_free(writer, status)
    call put_section(section, box, where)
    call put_file_options(options, how, name)
    call settle(c_array_writer_create(array%c_handle, where, c_loc(how), writer%c_handle), ierror, errmsg)
  end subroutine
  !> Opens a file and begins to write. Until the write is complete, the array must not be changed, unless `snapshot` is set.
  !> Collective.
  subroutine wherry_array_writer_start(writer, path, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    character(*), intent(in) :: path
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_array_writer_start(writer%c_handle, for_c(path)), ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether the file is complete. All ranks call this or the wait until it is.
  subroutine wherry_array_writer_test(writer, done, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_array_writer_test(writer%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Returns when the file is complete. Collective.
  subroutine wherry_array_writer_wait(writer, ierror, errmsg)
    type(wherry_array_writer), intent(in) :: writer
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_array_writer_wait(writer%c_handle), ierror, errmsg)
  end subroutine

end module
