! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for arrays of type complex.
module wherry_views_complex
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use wherry_constants, only: WHERRY_COMPLEX128, WHERRY_COMPLEX64
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure complex64_1, complex64_2, complex64_3, complex64_4, complex64_5, complex64_6, &
      complex64_7, complex128_1, complex128_2, complex128_3, complex128_4, complex128_5, complex128_6, &
      complex128_7
  end interface

contains

  function complex64_1(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_2(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_3(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_4(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_5(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_6(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex64_7(array, lower_bounds, space) result(view)
    complex(real32), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, low, lower_bounds, space)
  end function

  function complex128_1(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_2(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_3(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_4(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_5(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_6(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

  function complex128_7(array, lower_bounds, space) result(view)
    complex(real64), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, low, lower_bounds, space)
  end function

end module
