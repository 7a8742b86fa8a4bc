! Heat conduction on a square with cold edges: each step replaces a cell by the mean of its four neighbours.
program heat
  use mpi
  use wherry
  implicit none
  type(wherry_communicator) :: comm
  type(wherry_process_grid) :: grid
  type(wherry_exchange) :: fill
  type(wherry_box) :: mine
  double precision, allocatable, target, asynchronous :: u(:,:)
  double precision, allocatable :: new(:,:)
  double precision :: part, total
  integer :: x0, x1, y0, y1, step, rank, ierr

  call MPI_Init(ierr)
  call wherry_communicator_create(MPI_COMM_WORLD, comm)
  call wherry_process_grid_create(comm, 2, grid)
  call wherry_owned_box(grid, [64, 64], mine)  ! this rank's cells, both ends included
  x0 = int(mine%lower(1)); x1 = int(mine%upper(1)); y0 = int(mine%lower(2)); y1 = int(mine%upper(2))
  allocate(u(x0-1:x1+1, y0-1:y1+1), source=0d0)
  allocate(new(x0:x1, y0:y1))
  u(x0:x1, y0:y1) = 1
  call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), 1), fill, &
    wherry_halo_options(stencil=WHERRY_STENCIL_FACES))
  do step = 1, 100
    call wherry_exchange_start(fill)  ! until the wait, u is not written, and its halo is not read
    call average(x0+1, x1-1, y0+1, y1-1)
    call wherry_exchange_wait(fill)
    call average(x0, x1, y0, y0); call average(x0, x1, y1, y1)
    call average(x0, x0, y0, y1); call average(x1, x1, y0, y1)
    u(x0:x1, y0:y1) = new
  end do
  part = sum(u(x0:x1, y0:y1))
  call MPI_Reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call wherry_communicator_rank(comm, rank)
  if (rank == 0) print '(a, f8.6)', 'mean temperature after 100 steps: ', total / 64**2
  call wherry_exchange_free(fill); call wherry_process_grid_free(grid); call wherry_communicator_free(comm)
  call MPI_Finalize(ierr)
contains
  subroutine average(i0, i1, j0, j1)
    integer, intent(in) :: i0, i1, j0, j1
    new(i0:i1, j0:j1) = (u(i0-1:i1-1, j0:j1) + u(i0+1:i1+1, j0:j1) + u(i0:i1, j0-1:j1-1) + u(i0:i1, j0+1:j1+1)) / 4
  end subroutine
end program
