!> The exchange of main.cpp by the modules for Fortran. The loop is here, so that what is timed is what a program in Fortran does.
module bench_by_fortran
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use wherry
  implicit none
  private
  public :: bench_fortran_create, bench_fortran_exchange, bench_fortran_free
  type(wherry_communicator) :: comm
  type(wherry_process_grid) :: grid
  type(wherry_exchange) :: fill
contains

  !> Plans and binds the exchange of a cube whose edges have `extent` values, the halo among them. The program's errors end it.
  subroutine bench_fortran_create(world, extent, values) bind(c)
    integer(c_int), value :: world, extent
    real(c_double), target, asynchronous, intent(inout) :: values(extent, extent, extent)
    call wherry_communicator_create(world, comm)
    call wherry_process_grid_create(comm, 3, grid, wherry_process_grid_options(periodic=[.true., .true., .true.]))
    ! C and C++ cut the slowest dimension first; here that is the last one.
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(values), width=1), fill, &
      wherry_halo_options(axes=[3, 2, 1]))
  end subroutine

  subroutine bench_fortran_exchange(times) bind(c)
    integer(c_int), value :: times
    integer :: i
    do i = 1, times
      call wherry_exchange_start(fill)
      call wherry_exchange_wait(fill)
    end do
  end subroutine

  subroutine bench_fortran_free() bind(c)
    call wherry_exchange_free(fill)
    call wherry_process_grid_free(grid)
    call wherry_communicator_free(comm)
  end subroutine
end module
