! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for arrays of type character.
module wherry_views_character
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr, c_char
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_constants, only: WHERRY_CHAR
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure text_1, text_2, text_3, text_4, text_5, text_6, text_7
  end interface

contains

  function text_1(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1))(1:1))
      at(1) = c_loc(array(next(1))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_2(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2))(1:1))
      at(1) = c_loc(array(next(1), low(2))(1:1))
      at(2) = c_loc(array(low(1), next(2))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_3(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2), low(3))(1:1))
      at(1) = c_loc(array(next(1), low(2), low(3))(1:1))
      at(2) = c_loc(array(low(1), next(2), low(3))(1:1))
      at(3) = c_loc(array(low(1), low(2), next(3))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_4(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:,:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4))(1:1))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4))(1:1))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4))(1:1))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4))(1:1))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_5(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:,:,:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5))(1:1))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5))(1:1))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5))(1:1))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5))(1:1))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5))(1:1))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_6(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:,:,:,:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6))(1:1))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6))(1:1))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6))(1:1))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6))(1:1))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6))(1:1))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6))(1:1))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

  function text_7(array, lower_bounds, space) result(view)
    character(kind=c_char, len=*), pointer, intent(in) :: array(:,:,:,:,:,:,:)
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
    if (all(n > 0) .and. len(array) > 0) then
      at(0) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7))(1:1))
      at(1) = c_loc(array(next(1), low(2), low(3), low(4), low(5), low(6), low(7))(1:1))
      at(2) = c_loc(array(low(1), next(2), low(3), low(4), low(5), low(6), low(7))(1:1))
      at(3) = c_loc(array(low(1), low(2), next(3), low(4), low(5), low(6), low(7))(1:1))
      at(4) = c_loc(array(low(1), low(2), low(3), next(4), low(5), low(6), low(7))(1:1))
      at(5) = c_loc(array(low(1), low(2), low(3), low(4), next(5), low(6), low(7))(1:1))
      at(6) = c_loc(array(low(1), low(2), low(3), low(4), low(5), next(6), low(7))(1:1))
      at(7) = c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), next(7))(1:1))
    end if
    view = view_at(at, n, WHERRY_CHAR, len(array), low, lower_bounds, space)
  end function

end module
