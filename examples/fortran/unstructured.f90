! Values on the nodes of a ring: each step replaces a node by the mean of itself and its neighbours. A rank knows its nodes,
! and those of others that it reads, by global numbers only.
program unstructured
  use mpi
  use wherry
  implicit none
  integer, parameter :: nodes = 1000
  type(wherry_communicator) :: comm
  type(wherry_index_lists) :: lists
  type(wherry_exchange) :: fill
  double precision, allocatable, target :: u(:)
  double precision :: part, total
  integer, allocatable :: mine(:), left(:), right(:)
  integer :: rank, ranks, first, n, i, step, ierr

  call MPI_Init(ierr)
  call wherry_communicator_create(MPI_COMM_WORLD, comm)
  call wherry_communicator_rank(comm, rank, ranks)
  first = nodes * rank / ranks
  n = nodes * (rank + 1) / ranks - first
  allocate(mine(n), left(n), right(n))
  mine = first + [(i, i = 0, n - 1)]
  ! Copies of the nodes on both sides come behind mine.
  call wherry_index_lists_create_from_ids(comm, mine, modulo([mine(1) - 1, mine(n) + 1], nodes), lists)
  left = [n + 1, (i, i = 1, n - 1)]
  right = [(i, i = 2, n), n + 2]

  allocate(u(n + 2), source=0d0)
  where (modulo(mine, 100) == 0) u(:n) = 1000
  call wherry_index_exchange_create(comm, lists, wherry_view(u), fill)
  do step = 1, 50
    call wherry_exchange_run(fill)
    u(:n) = (u(left) + u(:n) + u(right)) / 3
  end do
  part = maxval(u(:n))
  call MPI_Reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, f0.6)', 'highest value after 50 steps: ', total

  call wherry_exchange_free(fill)
  call wherry_index_lists_free(lists)
  call wherry_communicator_free(comm)
  call MPI_Finalize(ierr)
end program
