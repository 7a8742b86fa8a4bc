!> Views: where the elements of an array lie. The generated modules wherry_views_* make them from arrays.
module wherry_view_types
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_int64_t, c_intptr_t, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use wherry_constants, only: WHERRY_HOST, WHERRY_MAX_DIMENSIONS
  use wherry_interface, only: c_wherry_view
  implicit none
  private
  public :: wherry_view, view_at, fault_of, bytes_of

  !> An array of the program's: its address, element type, extents and strides, and its lower bounds. It is valid as long
  !> as the array stays where it is.
  !>
  !> wherry_view(array [, lower_bounds] [, space]) makes it of any array or slice that is a pointer or has the attribute
  !> `target`. The procedures take a pointer, and not an array that is a target: for that, compilers may make a copy of a
  !> slice. A member of all elements of an array of a derived type, and a part of complex numbers or texts, wants a pointer
  !> of its own (`x => particles%x`, then wherry_view(x)), since gfortran 12 passes a wrong address otherwise.
  type :: wherry_view
    type(c_wherry_view) :: c !< as C knows it
    integer(int64) :: lower(WHERRY_MAX_DIMENSIONS) = 1
    logical :: uneven = .false. !< elements lie at distances that are no multiples of their size
    logical :: bounds_differ = .false. !< the number of lower bounds was not the number of dimensions
  end type

  !> wherry_view(address, type, extents [, strides] [, lower_bounds] [, components] [, space]): the view of memory that a
  !> type(c_ptr) names, for example of an array of a derived type with `wherry_bytes(storage_size(array) / 8)`.
  interface wherry_view
    module procedure view_of_address, view_of_address_int64
  end interface

  ! Each view is noted here, since gfortran takes a function that changes no variable of its module for one without side
  ! effects: it would keep the elements of a procedure's own array in registers while an exchange writes them.
  logical, volatile, save :: address_is_known = .false.

contains

  !> The view of an array of which these addresses are known: of its first element, and of the second element along each
  !> dimension (the first element again where there is no second). `low` is the array's own lower bounds.
  function view_at(at, extents, type, components, low, lower_bounds, space) result(view)
    type(c_ptr), intent(in) :: at(0:)
    integer(int64), intent(in) :: extents(:)
    integer(c_int32_t), intent(in) :: type
    integer, intent(in) :: components, low(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    integer(c_intptr_t) :: first, distance, bytes
    integer :: d
    view%c%dimensions = size(extents)
    view%c%components = int(max(components, 1), c_int)
    view%c%type = type
    view%c%space = WHERRY_HOST
    if (present(space)) view%c%space = int(space, c_int)
    view%c%extents(:size(extents)) = extents
    call set_bounds(view, low)
    call set_bounds(view, lower_bounds)
    if (components == 0) view%c%extents(1) = 0 ! texts without letters
    if (any(view%c%extents(:size(extents)) == 0)) then
      call set_dense_strides(view)
      return
    end if
    view%c%data = at(0)
    address_is_known = .true.
    bytes = iand(int(type, c_intptr_t), int(z'00ffffff', c_intptr_t)) * view%c%components
    first = transfer(at(0), first)
    do d = 1, size(extents)
      distance = transfer(at(d), first) - first
      view%c%strides(d) = distance / bytes
      view%uneven = view%uneven .or. mod(distance, bytes) /= 0
      if (extents(d) == 1) view%c%strides(d) = merge(1_c_int64_t, view%c%strides(max(d - 1, 1)) * extents(max(d - 1, 1)), d == 1)
    end do
  end function

  function view_of_address(address, type, extents, strides, lower_bounds, components, space) result(view)
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(int32), intent(in) :: extents(:)
    integer(int32), intent(in), optional :: strides(:) !< in elements; without them, the array is dense
    integer, intent(in), optional :: lower_bounds(:), components, space
    type(wherry_view) :: view
    if (present(strides)) then
      view = view_of_address_int64(address, type, int(extents, int64), int(strides, int64), lower_bounds, components, space)
    else
      view = view_of_address_int64(address, type, int(extents, int64), &
        lower_bounds=lower_bounds, components=components, space=space)
    end if
  end function
  function view_of_address_int64(address, type, extents, strides, lower_bounds, components, space) result(view)
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: type
    integer(int64), intent(in) :: extents(:)
    integer(int64), intent(in), optional :: strides(:)
    integer, intent(in), optional :: lower_bounds(:), components, space
    type(wherry_view) :: view
    integer :: n
    n = min(size(extents), WHERRY_MAX_DIMENSIONS)
    view%c%data = address
    address_is_known = .true.
    view%c%type = type
    view%c%dimensions = size(extents)
    view%c%extents(:n) = extents(:n)
    if (present(components)) view%c%components = int(components, c_int)
    view%c%space = WHERRY_HOST
    if (present(space)) view%c%space = int(space, c_int)
    call set_bounds(view, lower_bounds)
    call set_dense_strides(view)
    if (.not. present(strides)) return
    view%bounds_differ = view%bounds_differ .or. size(strides) /= size(extents)
    n = min(n, size(strides))
    view%c%strides(:n) = strides(:n)
  end function

  subroutine set_bounds(view, lower_bounds)
    type(wherry_view), intent(inout) :: view
    integer, intent(in), optional :: lower_bounds(:)
    integer :: n
    if (.not. present(lower_bounds)) return
    n = min(size(lower_bounds), WHERRY_MAX_DIMENSIONS)
    view%lower(:n) = lower_bounds(:n)
    view%bounds_differ = size(lower_bounds) /= view%c%dimensions
  end subroutine

  subroutine set_dense_strides(view)
    type(wherry_view), intent(inout) :: view
    integer :: d
    view%c%strides(1) = 1
    do d = 2, min(int(view%c%dimensions), WHERRY_MAX_DIMENSIONS)
      view%c%strides(d) = view%c%strides(d - 1) * max(view%c%extents(d - 1), 1_c_int64_t)
    end do
  end subroutine

  !> What is wrong with a view and cannot be said in C; empty if nothing is.
  function fault_of(view) result(text)
    type(wherry_view), intent(in) :: view
    character(:), allocatable :: text
    text = ''
    if (view%uneven) text = 'its elements lie at distances that are no multiples of their size'
    if (view%bounds_differ) text = 'the number of its lower bounds or strides is not the number of its dimensions'
  end function

  !> The bytes of a view whose elements lie side by side, in Fortran's order; -1 if they do not.
  pure function bytes_of(view) result(bytes)
    type(wherry_view), intent(in) :: view
    integer(c_int64_t) :: bytes
    integer :: d
    bytes = iand(int(view%c%type, c_int64_t), int(z'00ffffff', c_int64_t)) * max(view%c%components, 1_c_int)
    do d = 1, view%c%dimensions
      if (view%c%extents(d) > 1 .and. view%c%strides(d) /= product(view%c%extents(:d - 1))) bytes = -1
    end do
    if (bytes > 0) bytes = bytes * product(view%c%extents(:view%c%dimensions))
    if (any(view%c%extents(:view%c%dimensions) == 0)) bytes = 0
  end function

end module
