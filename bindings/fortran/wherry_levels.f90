!> Levels of refinement: a fine x-array over a coarse one. Fine ghost cells that no fine box holds are interpolated from coarse
!> cells, and coarse cells below fine boxes become averages. docs/blocks.md is the manual.
!>
!>     call wherry_level_coupling_create(coarse, fine, space, [2, 2], levels)
!>     call wherry_level_fill_ghosts(levels, interpolate)
!>     call wherry_exchange_run(fill_fine)                ! the other ghost cells
!>     call wherry_level_average_down(levels)             ! means
!>
!> Cells of both levels count from 1: along a dimension of ratio r, the fine cell x lies in the coarse cell (x - 1) / r + 1,
!> rounded down, which in images of a periodic domain is 0 or less.
module wherry_levels
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_funloc, c_funptr, c_int, c_int64_t, c_loc, c_null_funptr, c_null_ptr, &
    c_ptr, c_sizeof
  use wherry_boxes, only: domain_for_c, wherry_domain
  use wherry_constants
  use wherry_errors, only: refuse_next, settle, text_of
  use wherry_exchanges, only: statistics_from_c, wherry_statistics
  use wherry_grids, only: box_from_c, wherry_box
  use wherry_handles, only: wherry_level_coupling, wherry_level_coupling_free, wherry_x_array
  use wherry_interface
  use wherry_options, only: carry_for_c, names_for_c, wherry_carry_options
  use wherry_x_arrays, only: block_from_c, wherry_block
  implicit none
  private
  public :: wherry_level_coupling_create, wherry_level_function
  public :: wherry_level_start_ghosts, wherry_level_test_ghosts, wherry_level_wait_ghosts, wherry_level_fill_ghosts
  public :: wherry_level_fill_all, wherry_level_start_average_down, wherry_level_test_average_down
  public :: wherry_level_wait_average_down, wherry_level_average_down, wherry_level_ghosts
  public :: wherry_level_statistics, wherry_level_explain, wherry_level_transport

  !> Options of a level coupling, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_level_options
    integer :: reach = 1 !< coarse cells that an interpolation reads around the one that contains a fine cell; 0: none
    logical :: only_rim = .false. !< averages only values on planes at the rim of the refined region
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

  !> Some cells of a box.
  type, public :: wherry_box_part
    integer :: number = 0 !< of the box in the floor plan, from 1
    type(wherry_box) :: cells = wherry_box()
  end type

  abstract interface
    !> A procedure of the program's that sets `cells` of the grid `to` from the grid `from`. An interpolation sets fine cells
    !> from coarse ones, and `cells` are in fine indices; an average sets coarse cells from fine ones, and `cells` are in
    !> coarse indices. wherry_associate lets a pointer point to `from%values` and `to%values`, with the indices of the two
    !> levels. It must not free objects, drive exchanges or call what is collective. An internal procedure may be given, too;
    !> gfortran needs an executable stack for it.
    subroutine wherry_level_function(from, to, cells, failure)
      import :: wherry_block, wherry_box
      type(wherry_block), intent(in) :: from, to
      type(wherry_box), intent(in) :: cells
      integer, intent(inout) :: failure !< begins as 0; another number lets the call fail on this rank
    end subroutine
  end interface

  integer(c_int64_t), parameter :: no_reach = -1 !< C's WHERRY_NO_REACH

  !> What C hands back when it calls `call_program`.
  type :: procedure_of_program
    procedure(wherry_level_function), pointer, nopass :: call => null()
  end type

contains

  function call_program(from, to, cells, context) bind(c, name='') result(failure)
    type(c_wherry_block), intent(in) :: from, to
    type(c_wherry_box), intent(in) :: cells
    type(c_ptr), value :: context
    integer(c_int) :: failure
    type(procedure_of_program), pointer :: program
    integer :: status
    call c_f_pointer(context, program)
    status = 0
    call program%call(block_from_c(from), block_from_c(to), box_from_c(cells), status)
    failure = int(status, c_int)
  end function

  !> Finds the ghost cells of the fine boxes that no fine box holds, and binds the motion of the coarse cells that they need.
  !> Collective. Both arrays have the same type, components and places of values. Fine boxes begin and end at edges of coarse
  !> cells.
  subroutine wherry_level_coupling_create(coarse, fine, space, ratio, levels, options, ierror, errmsg)
    type(wherry_x_array), intent(in) :: coarse, fine
    type(wherry_domain), intent(in) :: space !< in coarse cells
    integer, intent(in) :: ratio(:) !< for each dimension the width of a coarse cell divided by that of a fine cell
    type(wherry_level_coupling), intent(inout) :: levels
    type(wherry_level_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_level_options), target :: how
    type(c_wherry_domain), target :: domain
    type(names_for_c), target :: names
    integer(c_int64_t), target :: ratios(max(size(ratio), WHERRY_MAX_DIMENSIONS))
    integer(c_int) :: status, dimensions, blocks, components
    integer(kind(WHERRY_FLOAT64)) :: type
    call wherry_level_coupling_free(levels, status)
    ratios = 0
    ratios(:size(ratio)) = ratio
    dimensions = 0
    status = c_x_array_shape(fine%c_handle, dimensions, blocks, components, type)
    if (status == WHERRY_SUCCESS .and. size(ratio) /= dimensions) &
      call refuse_next('''ratio'' has not as many values as the arrays have dimensions')
    domain = domain_for_c(space)
    how%struct_size = c_sizeof(how)
    if (present(options)) then
      ! C takes 0 for "not set".
      how%reach = options%reach
      if (options%reach == 0) how%reach = no_reach
      if (options%reach < 0) call refuse_next('''options%reach'' is below 0')
      how%only_rim = merge(1_c_int, 0_c_int, options%only_rim)
      how%carry = carry_for_c(options%carry, names)
    end if
    status = c_level_coupling_create(coarse%c_handle, fine%c_handle, c_loc(domain), c_loc(ratios), c_loc(how), levels%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Begins to fill the ghost cells of the fine level that no fine box holds. Until wherry_level_wait_ghosts the coarse cells
  !> must not be changed. Collective.
  subroutine wherry_level_start_ghosts(levels, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_level_start_ghosts(levels%c_handle), ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether all coarse cells have arrived.
  subroutine wherry_level_test_ghosts(levels, done, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_level_test_ghosts(levels%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Completes it: calls `interpolate` for each part of the ghost cells. Collective.
  subroutine wherry_level_wait_ghosts(levels, interpolate, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    procedure(wherry_level_function) :: interpolate
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(procedure_of_program), target :: program
    program%call => interpolate
    call settle(c_level_wait_ghosts(levels%c_handle, c_funloc(call_program), c_loc(program)), ierror, errmsg)
  end subroutine
  !> wherry_level_start_ghosts and wherry_level_wait_ghosts.
  subroutine wherry_level_fill_ghosts(levels, interpolate, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    procedure(wherry_level_function) :: interpolate
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(procedure_of_program), target :: program
    program%call => interpolate
    call settle(c_level_fill_ghosts(levels%c_handle, c_funloc(call_program), c_loc(program)), ierror, errmsg)
  end subroutine
  !> Fills all cells of the fine level except ghost cells, for fine boxes that are new. Plans anew in each call. Collective.
  subroutine wherry_level_fill_all(levels, interpolate, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    procedure(wherry_level_function) :: interpolate
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(procedure_of_program), target :: program
    program%call => interpolate
    call settle(c_level_fill_all(levels%c_handle, c_funloc(call_program), c_loc(program)), ierror, errmsg)
  end subroutine

  !> Begins to set the coarse cells below the fine boxes: calls `average` for each part, then sends the results. Without
  !> `average` they become the mean of the fine values, which are reals. The first call also plans. Collective.
  subroutine wherry_level_start_average_down(levels, average, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    procedure(wherry_level_function), optional :: average
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(procedure_of_program), target :: program
    type(c_funptr) :: function
    call put_average(average, program, function)
    call settle(c_level_start_average_down(levels%c_handle, function, c_loc(program)), ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether the averages have arrived.
  subroutine wherry_level_test_average_down(levels, done, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_level_test_average_down(levels%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Completes it. Collective.
  subroutine wherry_level_wait_average_down(levels, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_level_wait_average_down(levels%c_handle), ierror, errmsg)
  end subroutine
  !> wherry_level_start_average_down and wherry_level_wait_average_down.
  subroutine wherry_level_average_down(levels, average, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    procedure(wherry_level_function), optional :: average
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(procedure_of_program), target :: program
    type(c_funptr) :: function
    call put_average(average, program, function)
    call settle(c_level_average_down(levels%c_handle, function, c_loc(program)), ierror, errmsg)
  end subroutine
  subroutine put_average(average, program, function)
    procedure(wherry_level_function), optional :: average
    type(procedure_of_program), intent(inout) :: program
    type(c_funptr), intent(out) :: function
    function = c_null_funptr
    if (.not. present(average)) return
    program%call => average
    function = c_funloc(call_program)
  end subroutine

  !> The fine ghost cells that the coarse level provides, box by box. Local.
  subroutine wherry_level_ghosts(levels, parts, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    type(wherry_box_part), allocatable, intent(out) :: parts(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_box_part), allocatable, target :: list(:)
    integer(c_int) :: status, count
    integer :: i
    count = 0
    allocate(list(1))
    status = c_level_ghosts(levels%c_handle, 0_c_int, list, count)
    deallocate(list)
    allocate(list(max(count, 1_c_int)))
    if (status == WHERRY_SUCCESS) status = c_level_ghosts(levels%c_handle, count, list, count)
    allocate(parts(merge(count, 0_c_int, status == WHERRY_SUCCESS)))
    do i = 1, size(parts)
      parts(i)%number = int(list(i)%number) + 1
      parts(i)%cells = box_from_c(list(i)%cells)
    end do
    call settle(status, ierror, errmsg)
  end subroutine
  !> The amounts that both directions have moved on this rank. Local.
  subroutine wherry_level_statistics(levels, statistics, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_level_statistics(levels%c_handle, moved)
    statistics = statistics_from_c(moved)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The plans of both directions as tables that people can read. Local.
  subroutine wherry_level_explain(levels, text, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_level_explain(levels%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The transports of both directions. Local.
  subroutine wherry_level_transport(levels, text, ierror, errmsg)
    type(wherry_level_coupling), intent(in) :: levels
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    type(c_ptr) :: address
    address = c_null_ptr
    status = c_level_transport(levels%c_handle, address)
    text = ''
    if (status == WHERRY_SUCCESS) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine

end module
