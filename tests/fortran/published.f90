! Published layouts: against the halo exchange of which they were made.
program published
  use test_support
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 40, ny = 9
  type(wherry_process_grid) :: grid
  call begin()
  call wherry_process_grid_create(comm, 2, grid, wherry_process_grid_options(periodic=[.true., .true.]))
  call of_alternating_arrays()
  call of_one_array()
  call wrong_arguments()
  call wherry_process_grid_free(grid)
  call finish('published')
contains
  subroutine set(u, step)
    real(real64), intent(out) :: u(nx, ny)
    integer, intent(in) :: step
    integer :: x, y
    u = -1
    do y = 2, ny - 1
      do x = 2, nx - 1
        u(x, y) = 10000 * rank + 100000 * step + x + nx * y
      end do
    end do
  end subroutine

  ! One array in memory that the node's ranks read in place, one of the program's.
  subroutine of_alternating_arrays()
    real(real64), pointer :: shared(:,:)
    real(real64), target, asynchronous :: own(nx, ny), expected(nx, ny)
    real(real64), pointer :: now(:,:)
    type(wherry_exchange) :: fill
    type(wherry_published_layouts) :: layouts
    type(wherry_statistics) :: moved
    character(:), allocatable :: text
    logical :: done
    integer :: step
    call wherry_allocate(comm, shared, [nx, ny])
    shared = 0
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(shared), 1), fill)
    call wherry_published_layouts_create(comm, fill, layouts, name='u of step')
    do step = 1, 10
      now => shared
      if (modulo(step, 2) == 0) now => own
      call set(now, step)
      call set(expected, step)
      if (modulo(step, 3) == 0) then
        call wherry_published_layouts_publish(layouts, [wherry_view(now)])
        call wherry_published_layouts_read(layouts, [wherry_view(now)])
      else
        done = .false.
        do while (.not. done)
          call wherry_published_layouts_publish(layouts, [wherry_view(now)], done, 0.1_real64)
        end do
        done = .false.
        do while (.not. done)
          call wherry_published_layouts_read(layouts, [wherry_view(now)], done, 0.0_real64)
        end do
      end if
      call wherry_exchange_run(fill, wherry_view(expected))
      call require(all(expected >= 0), 'the exchange fills all halo cells')
      call require(all(now == expected), 'the halo of a step')
      if (modulo(step, 4) == 0) call wherry_published_layouts_await_readers(layouts)
    end do
    call wherry_published_layouts_await_readers(layouts, done)
    call require(done, 'a wait without limit is complete')
    call wherry_published_layouts_statistics(layouts, moved)
    call require(moved%exchanges == 10, 'ten steps are counted')
    call wherry_published_layouts_explain(layouts, text)
    call require(ranks == 1 .or. index(text, 'u of step') > 0, 'the text has the name and a line for each other rank')
    call wherry_published_layouts_transport(layouts, text)
    call require(ranks == 1 .or. len(text) > 0, 'the ways of the data')
    call wherry_published_layouts_free(layouts)
    call wherry_free(shared)
  end subroutine

  ! The exchange may be freed; an array that stays the same waits for its readers.
  subroutine of_one_array()
    real(real64), target, asynchronous :: u(nx, ny), expected(nx, ny)
    type(wherry_exchange) :: fill
    type(wherry_published_layouts) :: layouts
    integer :: step
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), 1), fill)
    call wherry_published_layouts_create(comm, fill, layouts)
    do step = 1, 4
      call set(u, step)
      call wherry_published_layouts_publish(layouts, [wherry_view(u)])
      call wherry_published_layouts_read(layouts, [wherry_view(u)])
      call wherry_published_layouts_await_readers(layouts)
      call set(expected, step)
      call wherry_exchange_run(fill, wherry_view(expected))
      call require(all(u == expected), 'the halo of one array')
    end do
    call wherry_exchange_free(fill)
    call set(u, 5)
    call wherry_published_layouts_publish(layouts, [wherry_view(u)])
    call wherry_published_layouts_read(layouts, [wherry_view(u)])
    call require(all(u >= 0), 'the halo after the exchange was freed')
    call wherry_published_layouts_await_readers(layouts)
  end subroutine

  subroutine wrong_arguments()
    real(real64), target, asynchronous :: u(nx, ny)
    type(wherry_exchange) :: fill, sums, nothing
    type(wherry_published_layouts) :: layouts
    integer :: ierror
    character(300) :: errmsg
    u = 0
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), 1), fill)
    call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), 1), sums, &
      wherry_halo_options(reverse=.true., update=wherry_reduction(WHERRY_ADD)))
    call wherry_published_layouts_create(comm, sums, layouts, ierror=ierror, errmsg=errmsg)
    call require(ierror == WHERRY_ERROR_ARGUMENT, 'sums cannot be published')
    ! What one rank does wrong is an error of all.
    if (rank == ranks - 1) then
      call wherry_published_layouts_create(comm, nothing, layouts, ierror=ierror, errmsg=errmsg)
    else
      call wherry_published_layouts_create(comm, fill, layouts, ierror=ierror, errmsg=errmsg)
    end if
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''exchange'' is NULL')
    call require(.not. wherry_exists(layouts), 'no layouts after an error')
    call wherry_published_layouts_publish(layouts, [wherry_view(u)], ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''layouts'' is NULL')
    call wherry_published_layouts_create(comm, fill, layouts)
    call wherry_published_layouts_publish(layouts, [wherry_view(u), wherry_view(u)], ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'there are 2 arrays, but the exchange was made with 1')
    call wherry_published_layouts_read(layouts, [wherry_view(u, lower_bounds=[1])], ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'lower bounds')
  end subroutine
end program
