! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for real and complex numbers of the kind c_long_double, and their types.
module wherry_c_long_double
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_loc, c_long_double, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  integer(c_int32_t), parameter, public :: WHERRY_LONG_DOUBLE = &
    int(z'05000000', c_int32_t) + int(storage_size(1.0_c_long_double) / 8, c_int32_t)
  integer(c_int32_t), parameter, public :: WHERRY_COMPLEX_LONG_DOUBLE = &
    int(z'06000000', c_int32_t) + int(2 * storage_size(1.0_c_long_double) / 8, c_int32_t)

  interface wherry_view
    module procedure long_double_1, long_double_2, long_double_3, long_double_4, long_double_5, &
      long_double_6, long_double_7, complex_long_double_1, complex_long_double_2, complex_long_double_3, &
      complex_long_double_4, complex_long_double_5, complex_long_double_6, complex_long_double_7
  end interface

contains

  function long_double_1(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer :: low(1), next(1)
    integer(int64) :: n(1)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1)))
      at(1) = c_loc(array(next(1)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_2(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer :: low(2), next(2)
    integer(int64) :: n(2)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2)))
      at(1) = c_loc(array(next(1), low(2)))
      at(2) = c_loc(array(low(1), next(2)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_3(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer :: low(3), next(3)
    integer(int64) :: n(3)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3)))
      at(1) = c_loc(array(next(1), low(2), low(3)))
      at(2) = c_loc(array(low(1), next(2), low(3)))
      at(3) = c_loc(array(low(1), low(2), next(3)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_4(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer :: low(4), next(4)
    integer(int64) :: n(4)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_5(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer :: low(5), next(5)
    integer(int64) :: n(5)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_6(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer :: low(6), next(6)
    integer(int64) :: n(6)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6)))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function long_double_7(array, lower_bounds, space) result(view)
    real(c_long_double), pointer, intent(in) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer :: low(7), next(7)
    integer(int64) :: n(7)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6), low(7)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6), low(7)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6), low(7)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6), low(7)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6), low(7)))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6), low(7)))
      at(7) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), next(7)))
    end if
    view = view_at(at, n, WHERRY_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_1(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer :: low(1), next(1)
    integer(int64) :: n(1)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1)))
      at(1) = c_loc(array(next(1)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_2(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer :: low(2), next(2)
    integer(int64) :: n(2)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2)))
      at(1) = c_loc(array(next(1), low(2)))
      at(2) = c_loc(array(low(1), next(2)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_3(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer :: low(3), next(3)
    integer(int64) :: n(3)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3)))
      at(1) = c_loc(array(next(1), low(2), low(3)))
      at(2) = c_loc(array(low(1), next(2), low(3)))
      at(3) = c_loc(array(low(1), low(2), next(3)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_4(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer :: low(4), next(4)
    integer(int64) :: n(4)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_5(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer :: low(5), next(5)
    integer(int64) :: n(5)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_6(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer :: low(6), next(6)
    integer(int64) :: n(6)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6)))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

  function complex_long_double_7(array, lower_bounds, space) result(view)
    complex(c_long_double), pointer, intent(in) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer :: low(7), next(7)
    integer(int64) :: n(7)
    at = c_null_ptr
    n = 0
    next = 1
    low = 1
    if (associated(array)) then
      n = shape(array, int64)
      low = lbound(array)
      next = min(low + 1, ubound(array))
    end if
    if (all(n > 0)) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7)))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6), low(7)))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6), low(7)))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6), low(7)))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6), low(7)))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6), low(7)))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6), low(7)))
      at(7) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), next(7)))
    end if
    view = view_at(at, n, WHERRY_COMPLEX_LONG_DOUBLE, 1, low, lower_bounds, space)
  end function

end module
