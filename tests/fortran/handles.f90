! Variables free their objects when they end; objects move; the objects that another was made of may go first.
program handles
  use test_support
  use, intrinsic :: iso_c_binding, only: c_ptr
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type :: simulation
    type(wherry_process_grid) :: grid
    type(wherry_exchange) :: fill
  end type
  type(c_ptr) :: of_exchange, of_grid
  type(wherry_exchange) :: mine, other
  type(wherry_process_grid) :: as_grid
  type(simulation), allocatable :: all
  real(real64), target :: u(7)
  integer :: ierror, number
  call begin()
  u = rank
  call make_and_leave(u)
  call is_gone()
  allocate(all)
  call make(all%grid, all%fill, u)
  of_exchange = all%fill%c_handle
  of_grid = all%grid%c_handle
  deallocate(all)
  call is_gone()

  ! Moved.
  call make(as_grid, mine, u)
  call require(wherry_exists(mine) .and. .not. wherry_exists(other), 'the first has it')
  call wherry_move(mine, other)
  call require(wherry_exists(other) .and. .not. wherry_exists(mine), 'the second has it')
  call wherry_process_grid_free(as_grid)
  call wherry_exchange_run(other)
  call require(u(1) == modulo(rank - 1, ranks), 'it still works')
  ! Made anew in the same variable: the first one is freed.
  of_exchange = other%c_handle
  of_grid = other%c_handle
  call make(as_grid, other, u)
  call is_gone_exchange()
  call wherry_exchange_start(other)
  call finish('handles') ! with an exchange in flight
  call wherry_exchange_free(other, ierror)
  call wherry_process_grid_free(as_grid)
contains
  subroutine make(grid, fill, u)
    type(wherry_process_grid), intent(inout) :: grid
    type(wherry_exchange), intent(inout) :: fill
    real(real64), target, intent(inout) :: u(:)
    call wherry_process_grid_create(comm, 1, grid, wherry_process_grid_options(periodic=[.true.]))
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), 1), fill)
  end subroutine
  subroutine make_and_leave(u)
    real(real64), target, intent(inout) :: u(:)
    type(wherry_process_grid) :: grid
    type(wherry_exchange) :: fill
    call make(grid, fill, u)
    call wherry_exchange_run(fill)
    of_exchange = fill%c_handle
    of_grid = grid%c_handle
  end subroutine
  subroutine is_gone()
    type(wherry_process_grid) :: grid
    grid%c_handle = of_grid
    call wherry_process_grid_dimensions(grid, number, ierror)
    call require(ierror == WHERRY_ERROR_ARGUMENT, 'the grid is freed')
    call is_gone_exchange()
  end subroutine
  subroutine is_gone_exchange()
    type(wherry_exchange) :: fill
    fill%c_handle = of_exchange
    call wherry_exchange_start(fill, ierror)
    call require(ierror == WHERRY_ERROR_ARGUMENT, 'the exchange is freed')
  end subroutine
end program
