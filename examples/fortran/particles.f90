! Particles fly through a periodic box; then each counts the particles that are near it.
program particles
  use mpi
  use wherry
  implicit none
  integer, parameter :: all_particles = 2000
  double precision, parameter :: cutoff = 0.1d0
  type(wherry_communicator) :: comm
  type(wherry_process_grid) :: grid
  type(wherry_particle_exchange) :: migrate
  type(wherry_ghost_particles) :: ghosts
  type(wherry_particle_array), target :: p(2)  ! positions, velocities
  double precision, pointer :: x(:,:), v(:,:)
  integer :: rank, i, step, mine, copies, near, total, ierr

  call MPI_Init(ierr)
  call wherry_communicator_create(MPI_COMM_WORLD, comm)
  call wherry_communicator_rank(comm, rank)
  call wherry_process_grid_create(comm, 2, grid, wherry_process_grid_options(periodic=[.true., .true.]))
  call wherry_particle_exchange_create(grid, wherry_particle_space(dimensions=2), migrate)  ! from 0 to 1

  do i = 1, 2
    p(i) = wherry_growing_array(WHERRY_FLOAT64, 2)
    call wherry_particle_resize(p(i), merge(all_particles, 0, rank == 0))  ! all begin on rank 0
  end do
  call find_arrays()
  do i = 1, size(x, 2)
    x(:, i) = modulo([0.754877666d0, 0.569840291d0] * i, 1d0)
    v(:, i) = 0.1d0 * modulo([0.819172513d0, 0.671043607d0] * i, 1d0) - 0.05d0
  end do
  do step = 1, 20
    x = x + v
    call wherry_particle_exchange_run(migrate, p)
    call find_arrays()
  end do

  call wherry_ghost_particles_create(migrate, cutoff, ghosts)
  call wherry_ghost_particles_plan(ghosts, p(1:1))  ! the ghosts come behind my particles
  call wherry_ghost_particles_count(ghosts, mine, copies)
  call wherry_associate(wherry_particle_view(p(1)), x)
  near = 0
  do i = 1, mine
    near = near + count((x(1, :) - x(1, i))**2 + (x(2, :) - x(2, i))**2 < cutoff**2) - 1  ! but not itself
  end do
  call MPI_Reduce(near, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, f0.3)', 'neighbours of a particle: ', dble(total) / all_particles

  call wherry_particle_free(p(1)); call wherry_particle_free(p(2))
  call wherry_ghost_particles_free(ghosts); call wherry_particle_exchange_free(migrate)
  call wherry_process_grid_free(grid); call wherry_communicator_free(comm)
  call MPI_Finalize(ierr)
contains
  subroutine find_arrays()  ! they move as they grow
    call wherry_associate(wherry_particle_view(p(1)), x)
    call wherry_associate(wherry_particle_view(p(2)), v)
  end subroutine
end program
