! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for arrays of type logical.
module wherry_views_logical
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8
  use wherry_constants, only: WHERRY_BOOL, WHERRY_INT16, WHERRY_INT32, WHERRY_INT64
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure logical8_1, logical8_2, logical8_3, logical8_4, logical8_5, logical8_6, logical8_7, &
      logical16_1, logical16_2, logical16_3, logical16_4, logical16_5, logical16_6, logical16_7, logical32_1, &
      logical32_2, logical32_3, logical32_4, logical32_5, logical32_6, logical32_7, logical64_1, logical64_2, &
      logical64_3, logical64_4, logical64_5, logical64_6, logical64_7
  end interface

contains

  function logical8_1(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_2(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_3(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_4(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_5(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_6(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical8_7(array, lower_bounds, space) result(view)
    logical(int8), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_BOOL, 1, low, lower_bounds, space)
  end function

  function logical16_1(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_2(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_3(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_4(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_5(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_6(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical16_7(array, lower_bounds, space) result(view)
    logical(int16), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT16, 1, low, lower_bounds, space)
  end function

  function logical32_1(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_2(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_3(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_4(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_5(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_6(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical32_7(array, lower_bounds, space) result(view)
    logical(int32), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT32, 1, low, lower_bounds, space)
  end function

  function logical64_1(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_2(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_3(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_4(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_5(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_6(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

  function logical64_7(array, lower_bounds, space) result(view)
    logical(int64), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_INT64, 1, low, lower_bounds, space)
  end function

end module
