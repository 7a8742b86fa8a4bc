! Written by generate.py; changes belong there.
!> wherry_view(array [, lower_bounds] [, space]) for arrays of type real.
module wherry_views_real
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use wherry_constants, only: WHERRY_FLOAT32, WHERRY_FLOAT64
  use wherry_view_types, only: wherry_view, view_at
  implicit none
  private
  public :: wherry_view

  interface wherry_view
    module procedure real32_1, real32_2, real32_3, real32_4, real32_5, real32_6, real32_7, real64_1, &
      real64_2, real64_3, real64_4, real64_5, real64_6, real64_7
  end interface

contains

  function real32_1(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_2(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_3(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_4(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_5(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_6(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real32_7(array, lower_bounds, space) result(view)
    real(real32), target, intent(inout) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT32, 1, lower_bounds, space)
  end function

  function real64_1(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_2(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_3(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_4(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_5(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_6(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

  function real64_7(array, lower_bounds, space) result(view)
    real(real64), target, intent(inout) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_FLOAT64, 1, lower_bounds, space)
  end function

end module
