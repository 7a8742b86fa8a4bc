! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for arrays of type integer.
module wherry_views_integer
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8
  use wherry_constants, only: WHERRY_INT16, WHERRY_INT32, WHERRY_INT64, WHERRY_INT8
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure int8_1, int8_2, int8_3, int8_4, int8_5, int8_6, int8_7, int16_1, int16_2, int16_3, &
      int16_4, int16_5, int16_6, int16_7, int32_1, int32_2, int32_3, int32_4, int32_5, int32_6, int32_7, int64_1, &
      int64_2, int64_3, int64_4, int64_5, int64_6, int64_7
  end interface

contains

  function int8_1(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer(int64) :: n(1)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1))
      at(1) = c_loc(array(min(2_int64, n(1))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_2(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer(int64) :: n(2)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1))
      at(2) = c_loc(array(1, min(2_int64, n(2))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_3(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer(int64) :: n(3)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_4(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer(int64) :: n(4)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_5(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer(int64) :: n(5)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_6(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer(int64) :: n(6)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int8_7(array, lower_bounds, space) result(view)
    integer(int8), target, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer(int64) :: n(7)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1, 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6)), 1))
      at(7) = c_loc(array(1, 1, 1, 1, 1, 1, min(2_int64, n(7))))
    end if
    view = view_at(at, n, WHERRY_INT8, 1, lower_bounds, space)
  end function

  function int16_1(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer(int64) :: n(1)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1))
      at(1) = c_loc(array(min(2_int64, n(1))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_2(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer(int64) :: n(2)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1))
      at(2) = c_loc(array(1, min(2_int64, n(2))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_3(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer(int64) :: n(3)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_4(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer(int64) :: n(4)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_5(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer(int64) :: n(5)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_6(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer(int64) :: n(6)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int16_7(array, lower_bounds, space) result(view)
    integer(int16), target, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer(int64) :: n(7)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1, 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6)), 1))
      at(7) = c_loc(array(1, 1, 1, 1, 1, 1, min(2_int64, n(7))))
    end if
    view = view_at(at, n, WHERRY_INT16, 1, lower_bounds, space)
  end function

  function int32_1(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer(int64) :: n(1)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1))
      at(1) = c_loc(array(min(2_int64, n(1))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_2(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer(int64) :: n(2)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1))
      at(2) = c_loc(array(1, min(2_int64, n(2))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_3(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer(int64) :: n(3)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_4(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer(int64) :: n(4)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_5(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer(int64) :: n(5)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_6(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer(int64) :: n(6)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int32_7(array, lower_bounds, space) result(view)
    integer(int32), target, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer(int64) :: n(7)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1, 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6)), 1))
      at(7) = c_loc(array(1, 1, 1, 1, 1, 1, min(2_int64, n(7))))
    end if
    view = view_at(at, n, WHERRY_INT32, 1, lower_bounds, space)
  end function

  function int64_1(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:1)
    integer(int64) :: n(1)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1))
      at(1) = c_loc(array(min(2_int64, n(1))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_2(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:2)
    integer(int64) :: n(2)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1))
      at(2) = c_loc(array(1, min(2_int64, n(2))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_3(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:3)
    integer(int64) :: n(3)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_4(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:4)
    integer(int64) :: n(4)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_5(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:5)
    integer(int64) :: n(5)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_6(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:6)
    integer(int64) :: n(6)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

  function int64_7(array, lower_bounds, space) result(view)
    integer(int64), target, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(in), optional :: lower_bounds(:), space
    type(wherry_view) :: view
    type(c_ptr) :: at(0:7)
    integer(int64) :: n(7)
    n = shape(array, int64)
    at = c_null_ptr
    if (all(n > 0)) then
      at(0) = c_loc(array(1, 1, 1, 1, 1, 1, 1))
      at(1) = c_loc(array(min(2_int64, n(1)), 1, 1, 1, 1, 1, 1))
      at(2) = c_loc(array(1, min(2_int64, n(2)), 1, 1, 1, 1, 1))
      at(3) = c_loc(array(1, 1, min(2_int64, n(3)), 1, 1, 1, 1))
      at(4) = c_loc(array(1, 1, 1, min(2_int64, n(4)), 1, 1, 1))
      at(5) = c_loc(array(1, 1, 1, 1, min(2_int64, n(5)), 1, 1))
      at(6) = c_loc(array(1, 1, 1, 1, 1, min(2_int64, n(6)), 1))
      at(7) = c_loc(array(1, 1, 1, 1, 1, 1, min(2_int64, n(7))))
    end if
    view = view_at(at, n, WHERRY_INT64, 1, lower_bounds, space)
  end function

end module
