! Written by generate.py; changes belong there.
!> wherry_allocate and wherry_free for pointers to arrays of type integer.
module wherry_memory_integer
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_handles, only: wherry_communicator
  use wherry_memory, only: allocate_bytes, free_address
  implicit none
  private
  public :: wherry_allocate, wherry_free

  interface wherry_allocate
    module procedure allocate_int8_1, allocate_int8_2, allocate_int8_3, allocate_int8_4, allocate_int8_5, &
      allocate_int8_6, allocate_int8_7, allocate_int16_1, allocate_int16_2, allocate_int16_3, allocate_int16_4, &
      allocate_int16_5, allocate_int16_6, allocate_int16_7, allocate_int32_1, allocate_int32_2, allocate_int32_3, &
      allocate_int32_4, allocate_int32_5, allocate_int32_6, allocate_int32_7, allocate_int64_1, allocate_int64_2, &
      allocate_int64_3, allocate_int64_4, allocate_int64_5, allocate_int64_6, allocate_int64_7
  end interface
  interface wherry_free
    module procedure free_int8_1, free_int8_2, free_int8_3, free_int8_4, free_int8_5, free_int8_6, &
      free_int8_7, free_int16_1, free_int16_2, free_int16_3, free_int16_4, free_int16_5, free_int16_6, &
      free_int16_7, free_int32_1, free_int32_2, free_int32_3, free_int32_4, free_int32_5, free_int32_6, &
      free_int32_7, free_int64_1, free_int64_2, free_int64_3, free_int64_4, free_int64_5, free_int64_6, &
      free_int64_7
  end interface

contains

  subroutine allocate_int8_1(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:)
    integer, intent(in) :: extents(1)
    integer, intent(in), optional :: lower_bounds(1)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: n(1), low(1), top(1)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1)))
    end if
  end subroutine
  subroutine free_int8_1(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(1)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_2(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: extents(2)
    integer, intent(in), optional :: lower_bounds(2)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: n(2), low(2), top(2)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2)))
    end if
  end subroutine
  subroutine free_int8_2(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(2)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_3(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: extents(3)
    integer, intent(in), optional :: lower_bounds(3)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: n(3), low(3), top(3)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3)))
    end if
  end subroutine
  subroutine free_int8_3(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(3)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_4(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(in) :: extents(4)
    integer, intent(in), optional :: lower_bounds(4)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: n(4), low(4), top(4)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4)))
    end if
  end subroutine
  subroutine free_int8_4(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(4)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_5(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(in) :: extents(5)
    integer, intent(in), optional :: lower_bounds(5)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(5), low(5), top(5)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5)))
    end if
  end subroutine
  subroutine free_int8_5(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(5)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_6(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(in) :: extents(6)
    integer, intent(in), optional :: lower_bounds(6)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(6), low(6), top(6)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6)))
    end if
  end subroutine
  subroutine free_int8_6(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(6)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int8_7(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int8), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(in) :: extents(7)
    integer, intent(in), optional :: lower_bounds(7)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int8), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(7), low(7), top(7)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 1_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6), low(7):top(7)))
    end if
  end subroutine
  subroutine free_int8_7(array, ierror, errmsg)
    integer(int8), pointer, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(7)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_1(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:)
    integer, intent(in) :: extents(1)
    integer, intent(in), optional :: lower_bounds(1)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: n(1), low(1), top(1)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1)))
    end if
  end subroutine
  subroutine free_int16_1(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(1)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_2(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: extents(2)
    integer, intent(in), optional :: lower_bounds(2)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: n(2), low(2), top(2)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2)))
    end if
  end subroutine
  subroutine free_int16_2(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(2)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_3(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: extents(3)
    integer, intent(in), optional :: lower_bounds(3)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: n(3), low(3), top(3)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3)))
    end if
  end subroutine
  subroutine free_int16_3(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(3)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_4(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(in) :: extents(4)
    integer, intent(in), optional :: lower_bounds(4)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: n(4), low(4), top(4)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4)))
    end if
  end subroutine
  subroutine free_int16_4(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(4)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_5(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(in) :: extents(5)
    integer, intent(in), optional :: lower_bounds(5)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(5), low(5), top(5)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5)))
    end if
  end subroutine
  subroutine free_int16_5(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(5)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_6(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(in) :: extents(6)
    integer, intent(in), optional :: lower_bounds(6)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(6), low(6), top(6)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6)))
    end if
  end subroutine
  subroutine free_int16_6(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(6)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int16_7(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int16), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(in) :: extents(7)
    integer, intent(in), optional :: lower_bounds(7)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int16), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(7), low(7), top(7)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 2_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6), low(7):top(7)))
    end if
  end subroutine
  subroutine free_int16_7(array, ierror, errmsg)
    integer(int16), pointer, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(7)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_1(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:)
    integer, intent(in) :: extents(1)
    integer, intent(in), optional :: lower_bounds(1)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: n(1), low(1), top(1)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1)))
    end if
  end subroutine
  subroutine free_int32_1(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(1)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_2(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: extents(2)
    integer, intent(in), optional :: lower_bounds(2)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: n(2), low(2), top(2)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2)))
    end if
  end subroutine
  subroutine free_int32_2(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(2)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_3(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: extents(3)
    integer, intent(in), optional :: lower_bounds(3)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: n(3), low(3), top(3)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3)))
    end if
  end subroutine
  subroutine free_int32_3(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(3)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_4(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(in) :: extents(4)
    integer, intent(in), optional :: lower_bounds(4)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: n(4), low(4), top(4)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4)))
    end if
  end subroutine
  subroutine free_int32_4(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(4)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_5(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(in) :: extents(5)
    integer, intent(in), optional :: lower_bounds(5)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(5), low(5), top(5)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5)))
    end if
  end subroutine
  subroutine free_int32_5(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(5)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_6(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(in) :: extents(6)
    integer, intent(in), optional :: lower_bounds(6)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(6), low(6), top(6)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6)))
    end if
  end subroutine
  subroutine free_int32_6(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(6)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int32_7(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int32), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(in) :: extents(7)
    integer, intent(in), optional :: lower_bounds(7)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int32), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(7), low(7), top(7)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 4_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6), low(7):top(7)))
    end if
  end subroutine
  subroutine free_int32_7(array, ierror, errmsg)
    integer(int32), pointer, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(7)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_1(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:)
    integer, intent(in) :: extents(1)
    integer, intent(in), optional :: lower_bounds(1)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:)
    type(c_ptr) :: address
    integer :: n(1), low(1), top(1)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1)))
    end if
  end subroutine
  subroutine free_int64_1(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(1)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_2(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: extents(2)
    integer, intent(in), optional :: lower_bounds(2)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:)
    type(c_ptr) :: address
    integer :: n(2), low(2), top(2)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2)))
    end if
  end subroutine
  subroutine free_int64_2(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(2)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_3(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: extents(3)
    integer, intent(in), optional :: lower_bounds(3)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:,:)
    type(c_ptr) :: address
    integer :: n(3), low(3), top(3)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3)))
    end if
  end subroutine
  subroutine free_int64_3(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(3)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_4(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:,:,:)
    integer, intent(in) :: extents(4)
    integer, intent(in), optional :: lower_bounds(4)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:,:,:)
    type(c_ptr) :: address
    integer :: n(4), low(4), top(4)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4)))
    end if
  end subroutine
  subroutine free_int64_4(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(4)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_5(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:,:,:,:)
    integer, intent(in) :: extents(5)
    integer, intent(in), optional :: lower_bounds(5)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(5), low(5), top(5)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5)))
    end if
  end subroutine
  subroutine free_int64_5(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(5)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_6(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:,:,:,:,:)
    integer, intent(in) :: extents(6)
    integer, intent(in), optional :: lower_bounds(6)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(6), low(6), top(6)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6)))
    end if
  end subroutine
  subroutine free_int64_6(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(6)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

  subroutine allocate_int64_7(comm, array, extents, lower_bounds, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), pointer, intent(out) :: array(:,:,:,:,:,:,:)
    integer, intent(in) :: extents(7)
    integer, intent(in), optional :: lower_bounds(7)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), pointer :: plain(:,:,:,:,:,:,:)
    type(c_ptr) :: address
    integer :: n(7), low(7), top(7)
    nullify(array)
    n = max(extents, 0)
    low = 1
    if (present(lower_bounds)) low = lower_bounds
    top = low + n - 1
    call allocate_bytes(comm, int(n, int64), 8_int64, address, ierror, errmsg)
    if (c_associated(address)) then
      call c_f_pointer(address, plain, n)
      array(low(1):, low(2):, low(3):, low(4):, low(5):, low(6):, low(7):) => plain
    else if (any(n == 0)) then
      allocate(array(low(1):top(1), low(2):top(2), low(3):top(3), low(4):top(4), low(5):top(5), low(6):top(6), low(7):top(7)))
    end if
  end subroutine
  subroutine free_int64_7(array, ierror, errmsg)
    integer(int64), pointer, intent(inout) :: array(:,:,:,:,:,:,:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer :: low(7)
    logical :: freed
    if (present(ierror)) ierror = WHERRY_SUCCESS
    if (.not. associated(array)) return
    if (size(array) == 0) then
      deallocate(array)
    else
      low = lbound(array)
      call free_address(c_loc(array(low(1), low(2), low(3), low(4), low(5), low(6), low(7))), freed, ierror, errmsg)
      if (freed) nullify(array)
    end if
  end subroutine

end module
