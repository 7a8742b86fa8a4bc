!> Communicators.
module wherry_communicators
  use, intrinsic :: iso_c_binding, only: c_int, c_ptr
  use wherry_errors, only: ranks_of, settle
  use wherry_handles, only: wherry_communicator, wherry_communicator_free
  use wherry_interface
  implicit none
  private
  public :: wherry_communicator_create, wherry_communicator_rank, wherry_communicator_node

  !> wherry_communicator_create(users, comm [, ierror] [, errmsg]): makes Wherry's object for a communicator of the
  !> program's. Collective over `users` the first time, local from then on. The communicator stays the program's.
  !> `users` is an integer of mpif.h or `use mpi`, or with `use wherry_mpi_f08` a type(MPI_Comm).
  interface wherry_communicator_create
    module procedure create_from_integer
  end interface

contains

  subroutine create_from_integer(users, comm, ierror, errmsg)
    integer, intent(in) :: users
    type(wherry_communicator), intent(inout) :: comm
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_communicator_free(comm, status)
    status = c_communicator_create_from_fortran(users, comm%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> This rank, counted from 0 as in MPI, and the number of ranks. Local.
  subroutine wherry_communicator_rank(comm, rank, size, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, intent(out), optional :: rank, size
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, this, all
    this = -1
    all = 0
    status = c_communicator_rank(comm%c_handle, this, all)
    if (present(rank)) rank = int(this)
    if (present(size)) size = int(all)
    call settle(status, ierror, errmsg)
  end subroutine

  !> The ranks that share memory with this rank, in ascending order, itself included. Local.
  subroutine wherry_communicator_node(comm, ranks, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, count
    type(c_ptr) :: list
    count = 0
    status = c_communicator_node(comm%c_handle, list, count)
    call ranks_of(list, merge(count, 0_c_int, status == 0), ranks)
    call settle(status, ierror, errmsg)
  end subroutine

end module
