! What the test programs share: they end at the first thing that is not as it should be.
module test_support
  use mpi
  use wherry
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  implicit none
  integer :: rank = 0, ranks = 1
  type(wherry_communicator) :: comm
  integer(int64), private :: state = 20261130
contains
  subroutine begin()
    integer :: ierr
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    call wherry_communicator_create(MPI_COMM_WORLD, comm)
  end subroutine
  subroutine finish(name)
    character(*), intent(in) :: name
    integer :: ierr
    call wherry_communicator_free(comm)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (rank == 0) write (*, '(a, a, i0, a)') name, ': ', ranks, ' ranks passed'
  end subroutine

  subroutine require(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (error_unit, '(a, i0, a, i0, 2a)') 'rank ', rank, ' of ', ranks, ', not so: ', what
    error stop 1
  end subroutine
  subroutine fails(ierror, errmsg, wanted, words)
    integer, intent(in) :: ierror, wanted
    character(*), intent(in) :: errmsg, words
    call require(ierror == wanted, 'returned ' // wherry_status_name(ierror) // ', expected ' // &
      wherry_status_name(wanted) // ': ' // words)
    call require(index(errmsg, words) > 0, '"' // words // '" is in "' // trim(errmsg) // '"')
    call require(index(wherry_last_error(), words) > 0, 'the last error has the text')
  end subroutine

  ! A number from least to most, the same on all ranks.
  function pick(least, most) result(number)
    integer, intent(in) :: least, most
    integer :: number
    state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
    number = least + int(mod(state / 65536, int(most - least + 1, int64)))
  end function
end module
