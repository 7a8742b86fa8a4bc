!> Memory that the ranks of a node share, by address. The generated modules wherry_memory_* make arrays of it.
module wherry_memory
  use, intrinsic :: iso_c_binding, only: c_int, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_errors, only: refuse, settle
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
    integer(int64) :: bytes
    integer :: d
    address = c_null_ptr
    bytes = element
    if (any(extents == 0)) bytes = 0
    do d = 1, size(extents)
      if (bytes == 0) exit
      if (extents(d) > huge(bytes) / bytes) then
        call settle(refuse('wherry_allocate', 'the array has more bytes than an address can count'), ierror, errmsg)
        return
      end if
      bytes = bytes * extents(d)
    end do
    call allocate_address(comm, address, bytes, ierror, errmsg)
    if (bytes == 0) then
      if (c_free(address) /= 0) address = c_null_ptr
    end if
  end subroutine
  !> Frees the memory of an array; `freed` says whether it is free now, so that no pointer may point to it.
  subroutine free_address(address, freed, ierror, errmsg)
    type(c_ptr), intent(in) :: address
    logical, intent(out) :: freed
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: copy
    integer(c_int) :: status
    copy = address
    status = c_free(copy)
    freed = status == WHERRY_SUCCESS
    call settle(status, ierror, errmsg)
  end subroutine

end module
