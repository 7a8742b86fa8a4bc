!> Memory that the ranks of a node share, by address. The generated modules wherry_memory_* make arrays of it.
module wherry_memory
  use, intrinsic :: iso_c_binding, only: c_int, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_errors, only: settle
  use wherry_handles, only: wherry_communicator
  use wherry_interface, only: c_allocate, c_free
  implicit none
  private
  public :: wherry_allocate, wherry_free, allocate_bytes, free_address

  !> wherry_allocate(comm, array, extents [, lower_bounds] [, ierror] [, errmsg]): lets a pointer to an array point to
  !> memory that the other ranks of the node can read in place, filled with zeros. Exchanges copy such arrays fewer times.
  !> Local. wherry_allocate(comm, address, bytes, ...) gives the address of so many bytes.
  interface wherry_allocate
    module procedure allocate_address
  end interface
  !> wherry_free(array [, ierror] [, errmsg]): frees such memory; a pointer that points to nothing is left so. Local.
  interface wherry_free
    module procedure free_pointer
  end interface

contains

  subroutine allocate_address(comm, address, bytes, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(c_ptr), intent(out) :: address
    integer(int64), intent(in) :: bytes
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_allocate(comm%c_handle, int(bytes, c_size_t), address)
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine free_pointer(address, ierror, errmsg)
    type(c_ptr), intent(inout) :: address
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_free(address), ierror, errmsg)
  end subroutine

  !> Memory for an array. The address is null if the array has no elements, or after an error.
  subroutine allocate_bytes(comm, extents, element, address, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), intent(in) :: extents(:), element
    type(c_ptr), intent(out) :: address
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call allocate_address(comm, address, product(extents) * element, ierror, errmsg)
    if (product(extents) == 0) then
      if (c_free(address) /= 0) address = c_null_ptr
    end if
  end subroutine
  subroutine free_address(address, ierror, errmsg)
    type(c_ptr), intent(in) :: address
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: copy
    copy = address
    call free_pointer(copy, ierror, errmsg)
  end subroutine

end module
