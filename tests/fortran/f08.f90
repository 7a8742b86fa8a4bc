! The communicators of `use mpi_f08`.
program f08
  use mpi_f08
  use wherry_mpi_f08
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(MPI_Comm) :: half
  type(wherry_communicator) :: comm, again
  type(wherry_process_grid) :: ring
  type(wherry_exchange) :: fill
  real(real64), target :: u(4)
  integer :: rank, ranks, mine, all, ierror
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), -rank, half)
  call wherry_communicator_create(half, comm)
  call wherry_communicator_create(half%MPI_VAL, again)
  call wherry_communicator_rank(comm, mine, all)
  u = rank
  call wherry_process_grid_create(comm, 1, ring, wherry_process_grid_options(periodic=[.true.]))
  call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u), 1), fill)
  call wherry_exchange_run(fill)
  call MPI_Comm_rank(half, rank)
  if (mine /= rank .or. modulo(nint(u(1)) - nint(u(2)), 2) /= 0) error stop 'a wrong halo'
  call wherry_communicator_create(MPI_COMM_NULL, again, ierror)
  if (ierror /= WHERRY_ERROR_ARGUMENT) error stop 'MPI_COMM_NULL was taken'
  call wherry_exchange_free(fill)
  call wherry_process_grid_free(ring)
  call MPI_Comm_free(half)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
  if (rank == 0) write (*, '(a, i0, a)') 'f08: ', ranks, ' ranks passed'
end program
