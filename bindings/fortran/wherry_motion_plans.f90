!> Motion plans: which cells of which box go where. Entries, boxes and dimensions count from 1.
module wherry_motion_plans
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr
  use wherry_boxes, only: put_domain, require_room, wherry_domain, wherry_widths, widths_for_c
  use wherry_constants
  use wherry_errors, only: refuse, settle, text_of
  use wherry_grids, only: box_for_c, box_from_c, wherry_box
  use wherry_handles
  use wherry_interface
  implicit none
  private
  public :: wherry_motion_plan_create, wherry_motion_plan_add, wherry_motion_plan_append, wherry_motion_plan_clear
  public :: wherry_motion_plan_size, wherry_motion_plan_entry, wherry_motion_plan_halo
  public :: wherry_motion_plan_redistribution, wherry_motion_plan_transposition, wherry_motion_plan_reversed
  public :: wherry_motion_plan_stages, wherry_motion_plan_explain

  !> One entry of a motion plan: the cells `source` of box `from` go to `destination` of box `to`.
  type, public :: wherry_motion
    integer :: from = 1, to = 1
    type(wherry_box) :: source = wherry_box(), destination = wherry_box()
    !> Not allocated: the axes stay. Else cell q of the destination gets the cell p for which p(axes(d)) = q(d), relative
    !> to the first cells.
    integer, allocatable :: axes(:)
  end type

contains

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

end module
