!> Wherry with the communicators of `use mpi_f08`. It stands apart because not every MPI has that module.
module wherry_mpi_f08
  use mpi_f08, only: MPI_Comm
  use wherry
  implicit none
  private :: MPI_Comm, create_from_f08
  public

  interface wherry_communicator_create
    module procedure create_from_f08
  end interface

contains

  subroutine create_from_f08(users, comm, ierror, errmsg)
    type(MPI_Comm), intent(in) :: users
    type(wherry_communicator), intent(inout) :: comm
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call wherry_communicator_create(users%MPI_VAL, comm, ierror, errmsg)
  end subroutine

end module
