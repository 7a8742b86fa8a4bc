! Written by generate.py; changes belong there.
!> wherry_associate(view, array [, ierror] [, errmsg]) for pointers to arrays of type logical.
module wherry_associate_logical
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_ptr
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8
  use wherry_constants, only: WHERRY_BOOL, WHERRY_INT16, WHERRY_INT32, WHERRY_INT64
  use wherry_errors, only: settle
  use wherry_shapes, only: shape_of
  use wherry_view_types, only: wherry_view
  implicit none
  private
  public :: wherry_associate

  interface wherry_associate
    module procedure associate_logical8_1, associate_logical8_2, associate_logical8_3, associate_logical8_4, &
      associate_logical8_5, associate_logical8_6, associate_logical8_7, associate_logical16_1, &
      associate_logical16_2, associate_logical16_3, associate_logical16_4, associate_logical16_5, &
      associate_logical16_6, associate_logical16_7, associate_logical32_1, associate_logical32_2, &
      associate_logical32_3, associate_logical32_4, associate_logical32_5, associate_logical32_6, &
      associate_logical32_7, associate_logical64_1, associate_logical64_2, associate_logical64_3, &
      associate_logical64_4, associate_logical64_5, associate_logical64_6, associate_logical64_7
  end interface

contains

  subroutine associate_logical8_1(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: whole(1), n(1), low(1)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):) => plain(:n(1))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_2(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: whole(2), n(2), low(2)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):) => plain(:n(1), :n(2))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_3(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: whole(3), n(3), low(3)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):) => plain(:n(1), :n(2), :n(3))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_4(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(4), n(4), low(4)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):) => plain(:n(1), :n(2), :n(3), :n(4))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_5(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(5), n(5), low(5)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_6(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(6), n(6), low(6)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical8_7(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int8), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int8), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(7), n(7), low(7)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_BOOL, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6), :n(7))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_1(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: whole(1), n(1), low(1)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):) => plain(:n(1))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_2(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: whole(2), n(2), low(2)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):) => plain(:n(1), :n(2))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_3(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: whole(3), n(3), low(3)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):) => plain(:n(1), :n(2), :n(3))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_4(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(4), n(4), low(4)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):) => plain(:n(1), :n(2), :n(3), :n(4))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_5(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(5), n(5), low(5)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_6(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(6), n(6), low(6)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical16_7(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int16), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int16), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(7), n(7), low(7)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT16, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6), :n(7))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_1(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: whole(1), n(1), low(1)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):) => plain(:n(1))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_2(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: whole(2), n(2), low(2)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):) => plain(:n(1), :n(2))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_3(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: whole(3), n(3), low(3)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):) => plain(:n(1), :n(2), :n(3))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_4(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(4), n(4), low(4)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):) => plain(:n(1), :n(2), :n(3), :n(4))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_5(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(5), n(5), low(5)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_6(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(6), n(6), low(6)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical32_7(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int32), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int32), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(7), n(7), low(7)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT32, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6), :n(7))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_1(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: whole(1), n(1), low(1)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):) => plain(:n(1))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_2(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: whole(2), n(2), low(2)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):) => plain(:n(1), :n(2))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_3(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: whole(3), n(3), low(3)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):) => plain(:n(1), :n(2), :n(3))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_4(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(4), n(4), low(4)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):) => plain(:n(1), :n(2), :n(3), :n(4))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_5(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(5), n(5), low(5)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_6(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(6), n(6), low(6)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  subroutine associate_logical64_7(view, array, ierror, errmsg)
    type(wherry_view), intent(in) :: view
    logical(int64), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    logical(int64), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: whole(7), n(7), low(7)
    integer(c_int) :: status
    nullify(array)
    call shape_of(view, WHERRY_INT64, address, whole, n, low, status)
    if (status == 0) then
      call c_f_pointer(address, plain, whole)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain(:n(1), :n(2), :n(3), :n(4), :n(5), :n(6), :n(7))
    end if
    call settle(status, ierror, errmsg)
  end subroutine

end module
