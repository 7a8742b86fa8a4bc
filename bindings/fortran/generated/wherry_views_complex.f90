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
    complex(real32), target, intent(inout) :: array(:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_2(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_3(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_4(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_5(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_6(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex64_7(array, lower_bounds, space) result(view)
    complex(real32), target, intent(inout) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX64, 1, lower_bounds, space)
  end function

  function complex128_1(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_2(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_3(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_4(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_5(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_6(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

  function complex128_7(array, lower_bounds, space) result(view)
    complex(real64), target, intent(inout) :: array(:,:,:,:,:,:,:)
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
    view = view_at(at, n, WHERRY_COMPLEX128, 1, lower_bounds, space)
  end function

end module
