!> Movers: the exchanges that motion plans, ghost cells, redistributions and halos on floor plans become.
module wherry_movers
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_loc, c_null_ptr, c_ptr, c_sizeof
  use wherry_boxes, only: put_domain, wherry_domain, wherry_widths, widths_for_c
  use wherry_constants
  use wherry_errors, only: settle
  use wherry_halos, only: fields_for_c, halo_memory, halo_options_for_c, wherry_field, wherry_halo_options
  use wherry_handles
  use wherry_interface
  use wherry_options
  implicit none
  private
  public :: wherry_mover_create, wherry_mover_start_with, wherry_ghost_filler_create, wherry_redistribute
  public :: wherry_halo_exchange_create_on_plan

  !> A motion plan, the arrays between which it moves, and what happens on arrival.
  type, public :: wherry_movement
    type(c_ptr), private :: motions = c_null_ptr, source = c_null_ptr, destination = c_null_ptr
    !> Combines arriving elements with those that are there; by default they are stored.
    type(wherry_reduction) :: update = wherry_reduction()
    integer :: stage = 1 !< a stage begins when everything of the one before has arrived
  contains
    procedure :: set => set_movement !< movement%set(motions, source, destination)
  end type

  !> Options of a mover, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_mover_options
    type(wherry_reduction) :: update = wherry_reduction() !< of the movements that have none of their own
    logical :: in_parts = .false. !< each grid of the sources is a part for wherry_exchange_start_in_parts
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

  !> Options of a ghost filler, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_ghost_options
    integer :: stencil = WHERRY_STENCIL_ALL
    integer, allocatable :: directions(:,:) !< as in wherry_halo_options
    !> Combines all copies of each value and gives all of them the result.
    type(wherry_reduction) :: combine_copies = wherry_reduction()
    !> With `combine_copies`: the ghost layers whose values count, too.
    type(wherry_widths) :: contributing = wherry_widths()
    logical :: in_parts = .false. !< each grid is a part for wherry_exchange_start_in_parts
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

contains

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
    type(wherry_movement), target, intent(in) :: movements(:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_mover_options), target, intent(in), optional :: options
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
    type(wherry_ghost_options), target, intent(in), optional :: options
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
    type(wherry_field), target, intent(in) :: fields(:,:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_domain), intent(in), optional :: space
    type(wherry_halo_options), target, intent(in), optional :: options
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

end module
