!> What a pointer must be like to point to the elements of a view.
module wherry_shapes
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_int64_t, c_loc, c_ptr
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_errors, only: refuse
  use wherry_interface, only: c_wherry_view
  use wherry_view_types, only: wherry_view
  implicit none
  private
  public :: shape_of, view_from_c

  integer(c_int64_t), target, save :: nowhere = 0 !< where arrays without elements are

contains

  !> The address of a view's elements, the extents of the whole array that its strides leave room for, those of the view,
  !> and its lower bounds. With several components, they are the first dimension.
  subroutine shape_of(view, type, address, whole, n, low, status)
    type(wherry_view), intent(in) :: view
    integer(c_int32_t), intent(in) :: type
    type(c_ptr), intent(out) :: address
    integer, intent(out) :: whole(:), n(:), low(:)
    integer(c_int), intent(out) :: status
    integer(c_int64_t) :: extents(8), strides(8)
    integer :: d, first
    character(40) :: text
    whole = 0
    n = 0
    low = 1
    address = c_loc(nowhere)
    first = merge(1, 0, view%c%components > 1)
    if (size(n) /= view%c%dimensions + first) then
      write (text, '(i0, a, i0)') view%c%dimensions + first, ' dimensions, but the pointer has ', size(n)
      status = refuse('wherry_associate', 'the view has ' // trim(text))
      return
    end if
    if (view%c%type /= type) then
      status = refuse('wherry_associate', 'the view has elements of another type than the pointer')
      return
    end if
    extents(1) = view%c%components
    strides(1) = 1
    extents(first + 1:size(n)) = view%c%extents(:view%c%dimensions)
    strides(first + 1:size(n)) = view%c%strides(:view%c%dimensions) * max(view%c%components, 1)
    low(first + 1:) = int(view%lower(:view%c%dimensions))
    n = int(extents(:size(n)))
    status = WHERRY_SUCCESS
    if (any(n <= 0)) return
    if (.not. c_associated(view%c%data)) then
      status = refuse('wherry_associate', 'the view has elements, but no address')
      return
    end if
    address = view%c%data
    if (any(strides(:size(n) - 1) <= 0)) then
      status = refuse('wherry_associate', 'the view is not in Fortran''s order, or its elements lie apart')
      return
    end if
    do d = 1, size(n) - 1
      whole(d) = int(strides(d + 1) / strides(d))
      if (n(d + 1) == 1 .and. d == size(n) - 1) whole(d) = n(d)
      if (whole(d) < n(d) .or. (int(whole(d), c_int64_t) * strides(d) /= strides(d + 1) .and. n(d + 1) > 1)) &
        status = refuse('wherry_associate', 'the view is not in Fortran''s order, or its elements lie apart')
    end do
    whole(size(n)) = n(size(n))
    if (strides(1) /= 1) status = refuse('wherry_associate', 'the view is not in Fortran''s order, or its elements lie apart')
  end subroutine

  !> A view that C gives, with these lower bounds, or with 1.
  function view_from_c(from, lower) result(view)
    type(c_wherry_view), intent(in) :: from
    integer(c_int64_t), intent(in), optional :: lower(:)
    type(wherry_view) :: view
    view%c = from
    if (present(lower)) view%lower(:size(lower)) = lower
  end function

end module
