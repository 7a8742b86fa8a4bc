!> Boxes, domains and widths, of which floor plans, x-arrays and movers are made. Cells count from 1, and boxes include both
!> ends.
module wherry_boxes
  use, intrinsic :: iso_c_binding, only: c_int, c_loc, c_null_ptr, c_ptr
  use wherry_constants
  use wherry_errors, only: refuse
  use wherry_grids, only: box_for_c, wherry_box
  use wherry_interface
  implicit none
  private
  public :: wherry_make_box, wherry_open_domain, wherry_torus, wherry_same_widths
  public :: domain_for_c, put_domain, widths_for_c, require_room

  !> The index space of a whole problem: a box of cells, whose opposite faces meet in each periodic dimension.
  type, public :: wherry_domain
    type(wherry_box) :: cells = wherry_box()
    logical :: periodic(WHERRY_MAX_DIMENSIONS) = .false.
  end type

  !> Numbers of layers on the low and the high side of each dimension.
  type, public :: wherry_widths
    integer :: minus(WHERRY_MAX_DIMENSIONS) = 0, plus(WHERRY_MAX_DIMENSIONS) = 0
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

end module
