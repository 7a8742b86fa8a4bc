! Particles move to their owners and have ghosts, in structures of arrays; what is refused.
module particles_memory
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_loc, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
contains
  ! The program's own memory: no memory of the heap's, and a count of the calls.
  function grow_in_place(data, bytes, context) bind(c) result(address)
    type(c_ptr), value :: data
    integer(c_size_t), value :: bytes
    type(c_ptr), value :: context
    type(c_ptr) :: address
    integer(int64), pointer :: own(:)
    address = data
    if (bytes > 72 .or. .not. c_associated(context)) then
      address = c_null_ptr
      return
    end if
    call c_f_pointer(context, own, [10])
    own(1) = own(1) + 1
    address = c_loc(own(2))
  end function
end module
program particles
  use test_support
  use particles_memory, only: grow_in_place
  use, intrinsic :: iso_c_binding, only: c_associated, c_funloc, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  implicit none
  integer, parameter :: all_particles = 200
  type(wherry_process_grid) :: grid
  call begin()
  call wherry_process_grid_create(comm, 2, grid, wherry_process_grid_options(periodic=[.true., .true.]))
  call by_position()
  call by_owner()
  call by_cell()
  call on_a_floor_plan()
  call wrong_arguments()
  call own_memory()
  call wherry_process_grid_free(grid)
  call finish('particles')
contains
  ! Positions of a particle after a number of steps: known to all ranks.
  function place(id, step) result(x)
    integer, intent(in) :: id, step
    real(real64) :: x(2)
    x(1) = modulo(id * 0.37d0 + step * 0.013d0 * modulo(id, 5), 2d0)
    x(2) = modulo(id * 0.61d0 - step * 0.017d0 * modulo(id, 7), 1d0)
  end function

  subroutine by_position()
    type(wherry_particle_exchange) :: migrate
    type(wherry_ghost_particles) :: ghosts
    type(wherry_particle_array), target :: p(2)
    type(wherry_particle_move) :: moved
    type(wherry_particle_space) :: space
    real(real64), pointer :: x(:,:)
    integer(int32), pointer :: id(:)
    integer(int64), allocatable :: order(:)
    integer, allocatable :: ranks_near(:)
    integer :: step, i, j, owner, total, sum_of_ids, ierr, owned, copies, image(2), wanted, cell(2)
    real(real64) :: d(2)
    real(real64), parameter :: cutoff = 0.15d0
    logical :: done
    space%dimensions = 2
    space%upper = [2d0, 1d0, 0d0]
    call wherry_particle_exchange_create(grid, space, migrate, options=wherry_particle_options(order=WHERRY_PARTICLES_STABLE))
    p(1) = wherry_growing_array(WHERRY_FLOAT64, 2)
    p(2) = wherry_growing_array(WHERRY_INT32)
    do i = 1, 2
      call wherry_particle_resize(p(i), merge(all_particles, 0, rank == 0))
    end do
    call wherry_associate(wherry_particle_view(p(1)), x)
    call wherry_associate(wherry_particle_view(p(2)), id)
    id = [(i, i = 1, size(id))]
    do step = 0, 10
      do i = 1, size(id)
        x(:, i) = place(id(i), step)
      end do
      if (modulo(step, 2) == 0) then
        call wherry_particle_exchange_run(migrate, p, moved)
      else
        call wherry_particle_exchange_start(migrate, p)
        done = .false.
        do while (.not. done)
          call wherry_particle_exchange_test(migrate, done)
        end do
        call wherry_particle_exchange_wait(migrate, moved)
      end if
      call wherry_associate(wherry_particle_view(p(1)), x)
      call wherry_associate(wherry_particle_view(p(2)), id)
      call require(moved%count == size(id) .and. size(x, 2) == size(id), 'the number of particles')
      do i = 1, size(id)
        call require(all(abs(x(:, i) - place(id(i), step)) < 1d-14), 'the position of a particle')
        call wherry_particle_exchange_owner_of(migrate, x(:, i), owner)
        call require(owner == rank, 'the owner of a particle')
      end do
      call wherry_particle_exchange_permutation(migrate, order)
      call require(size(order) == size(id) .and. count(order < 0) == moved%arrived, 'the permutation')
      call MPI_Allreduce(size(id), total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      call MPI_Allreduce(sum(int(id)), sum_of_ids, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      call require(total == all_particles .and. sum_of_ids == all_particles * (all_particles + 1) / 2, 'all particles')
    end do
    call wherry_particle_exchange_cell_of(migrate, [0.001d0, 0.001d0], cell)
    call require(all(cell == 1), 'the first cell')
    call wherry_particle_exchange_neighbors(migrate, ranks_near)
    call require(size(ranks_near) <= ranks, 'the neighbours')

    ! Each particle finds as many neighbours among own particles and ghosts as there are among all particles and images.
    call wherry_ghost_particles_create(migrate, cutoff, ghosts)
    call wherry_ghost_particles_plan(ghosts, p)
    call wherry_ghost_particles_count(ghosts, owned, copies)
    call wherry_associate(wherry_particle_view(p(1)), x)
    call wherry_associate(wherry_particle_view(p(2)), id)
    call require(size(id) == owned + copies .and. owned == moved%count, 'ghosts behind the particles')
    do i = 1, owned
      wanted = 0
      do j = 1, all_particles
        do total = 0, 8
          image = [modulo(total, 3) - 1, total / 3 - 1]
          d = place(j, 10) + image * [2d0, 1d0] - x(:, i)
          if (sum(d**2) < cutoff**2) wanted = wanted + 1
        end do
      end do
      total = 0
      do j = 1, owned + copies
        if (sum((x(:, j) - x(:, i))**2) < cutoff**2) total = total + 1
      end do
      call require(total == wanted, 'the neighbours of a particle')
    end do
    if (copies > 0) then
      call wherry_ghost_particles_owner_of(ghosts, copies, owner)
      call require(owner >= 0 .and. owner < ranks, 'the owner of a ghost')
    end if
    ! Values of owners, and sums at them.
    id(:owned) = id(:owned) + 1000
    call wherry_ghost_particles_fill(ghosts, p(2:2))
    call require(all(id > 1000), 'values of owners')
    call wherry_ghost_particles_start_fill(ghosts, p(2:2))
    call wherry_ghost_particles_wait(ghosts)
    call wherry_ghost_particles_fill_positions(ghosts, p(1:1))
    id = 1
    call wherry_ghost_particles_start_sum_back(ghosts, p(2:2))
    done = .false.
    do while (.not. done)
      call wherry_ghost_particles_test(ghosts, done)
    end do
    call wherry_ghost_particles_wait(ghosts)
    call MPI_Allreduce(sum(int(id(:owned))), sum_of_ids, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(copies, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call require(sum_of_ids == all_particles + total, 'each ghost was added once')
    call wherry_ghost_particles_drop(ghosts, p)
    call require(p(1)%count == owned .and. p(2)%count == owned, 'without ghosts')
    call wherry_ghost_particles_resize(ghosts, p(2:2))
    call require(p(2)%count == owned + copies, 'with room for ghosts')
    do i = 1, 2
      call wherry_particle_free(p(i))
    end do
  end subroutine

  subroutine by_owner()
    type(wherry_particle_exchange) :: migrate
    type(wherry_particle_array), target :: p(1)
    type(wherry_particle_choice) :: choice
    integer(int64), target :: memory(40)
    integer :: i
    memory(:4) = [10, 20, 30, 40] + rank
    p(1) = wherry_fixed_array(wherry_view(memory), 4)
    call wherry_particle_exchange_create_by_owner(comm, migrate)
    choice%by = WHERRY_BY_OWNER
    choice%owners = [rank, modulo(rank + 1, ranks), modulo(rank + 1, ranks), rank]
    choice%leavers = [2_int64, 3_int64]
    call wherry_particle_exchange_run(migrate, p, choice=choice)
    call require(p(1)%count == 4, 'four particles')
    call require(all(memory(:4) == [10 + rank, 20 + modulo(rank - 1, ranks), 30 + modulo(rank - 1, ranks), 40 + rank]) &
      .or. ranks == 1, 'those that arrive fill the places')
    deallocate(choice%leavers)
    choice%owners = [(0, i = 1, 4)]
    choice%may_leave = [(.true., i = 1, 4)]
    call wherry_particle_exchange_run(migrate, p, choice=choice)
    call require(p(1)%count == merge(4 * ranks, 0, rank == 0), 'all go to one rank')
  end subroutine

  subroutine by_cell()
    type(wherry_particle_exchange) :: migrate
    type(wherry_particle_array), target :: p(1)
    type(wherry_particle_choice) :: choice
    type(wherry_particle_space) :: space
    type(wherry_box) :: mine
    integer(int32), pointer :: id(:)
    integer(int64) :: cell(2)
    integer :: i, n
    space%dimensions = 2
    call wherry_particle_exchange_create(grid, space, migrate, cells=[8, 6])
    call wherry_owned_box(grid, [8, 6], mine)
    p(1) = wherry_growing_array(WHERRY_INT32)
    n = merge(48, 0, rank == ranks - 1)
    call wherry_particle_resize(p(1), n)
    call wherry_associate(wherry_particle_view(p(1)), id)
    id = [(i, i = 1, n)]
    choice%by = WHERRY_BY_CELL
    choice%cells = reshape([(cell_of(i), i = 1, n)], [2, n])
    call wherry_particle_exchange_run(migrate, p, choice=choice)
    call wherry_associate(wherry_particle_view(p(1)), id)
    call require(size(id) == product(mine%extents()), 'a particle for each cell')
    do i = 1, size(id)
      cell = cell_of(int(id(i)))
      call require(mine%contains(int(cell)), 'a particle in its cell')
    end do
    call wherry_particle_free(p(1))
  end subroutine
  subroutine on_a_floor_plan()
    type(wherry_particle_exchange) :: migrate
    type(wherry_particle_array), target :: p(2)
    type(wherry_particle_space) :: space
    type(wherry_floor_plan) :: plan
    type(wherry_box) :: cells
    real(real64), pointer :: x(:)
    integer :: i, owner, number
    space%dimensions = 2
    cells = wherry_make_box([1, 1], [10, 10])
    call wherry_floor_plan_create([wherry_make_box([1, 1], [4, 10]), wherry_make_box([5, 1], [10, 10])], &
      [0, ranks - 1], plan)
    call wherry_particle_exchange_create_on_plan(comm, plan, wherry_torus(cells), space, migrate)
    do i = 1, 2
      p(i) = wherry_growing_array(WHERRY_FLOAT64)
      call wherry_particle_resize(p(i), 50)
      call wherry_associate(wherry_particle_view(p(i)), x)
      x = [(modulo(number * 0.3713d0 * i + 0.1d0 * rank, 1d0), number = 1, 50)]
    end do
    call wherry_particle_exchange_run(migrate, p)
    call wherry_associate(wherry_particle_view(p(1)), x)
    do i = 1, size(x)
      call wherry_floor_plan_find(plan, [int(10 * x(i)) + 1, 1], number, owner)
      call require(owner == rank, 'a particle in its box')
    end do
    call wherry_particle_free(p(1))
    call wherry_particle_free(p(2))
  end subroutine
  function cell_of(i) result(cell)
    integer, intent(in) :: i
    integer(int64) :: cell(2)
    cell = [modulo(i - 1, 8) + 1, (i - 1) / 8 + 1]
  end function

  subroutine wrong_arguments()
    type(wherry_particle_exchange) :: migrate
    type(wherry_ghost_particles) :: ghosts
    type(wherry_particle_array), target :: p(1)
    type(wherry_particle_space) :: space
    integer :: ierror
    character(300) :: text
    p(1) = wherry_growing_array(WHERRY_FLOAT64, 2)
    call wherry_particle_exchange_run(migrate, p, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'NULL')
    space%dimensions = 2
    if (rank == ranks - 1) space%upper(1) = -1
    call wherry_particle_exchange_create(grid, space, migrate, ierror=ierror, errmsg=text)
    call require(ierror == WHERRY_ERROR_ARGUMENT .or. ierror == WHERRY_ERROR_MISMATCH, 'a space without volume')
    space%upper(1) = 1
    call wherry_particle_exchange_create(grid, space, migrate, cells=[8, 8, 8], ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''cells'' has not as many values')
    call wherry_particle_exchange_create(grid, space, migrate)
    call wrong_choices(migrate)
    call wherry_ghost_particles_create(migrate, -1d0, ghosts, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'the cut-off is -1')
    call wherry_ghost_particles_wait(ghosts, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'NULL')
    call wherry_ghost_particles_create(migrate, 0.1d0, ghosts)
    call wherry_ghost_particles_plan(ghosts, p)
    call refuse_strided(migrate, ghosts)
    call wherry_particle_free(p(1))
  end subroutine
  subroutine wrong_choices(migrate)
    type(wherry_particle_exchange), intent(inout) :: migrate
    type(wherry_particle_exchange) :: moved_here
    type(wherry_particle_array), target :: p(1)
    type(wherry_particle_choice) :: choice
    integer :: ierror
    character(300) :: text
    p(1) = wherry_growing_array(WHERRY_FLOAT64, 2)
    call wherry_particle_resize(p(1), 2)
    choice%by = WHERRY_BY_CELL
    allocate(choice%cells(1, 2))
    choice%cells = 1
    call wherry_move(migrate, moved_here)
    call wherry_move(moved_here, migrate)
    call wherry_particle_exchange_run(migrate, p, choice=choice, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'a column of choice%cells has not as many values')
    deallocate(choice%cells)
    allocate(choice%cells(2, 2))
    choice%cells = 1
    choice%owners = [0, 0]
    call wherry_particle_exchange_run(migrate, p, choice=choice, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'choice%owners and choice%cells are both allocated')
    deallocate(choice%owners)
    call wherry_particle_exchange_run(migrate, p, choice=choice)
    call wherry_particle_free(p(1))
  end subroutine
  ! Calls that keep the address of the arrays.
  subroutine refuse_strided(migrate, ghosts)
    type(wherry_particle_exchange), intent(in) :: migrate
    type(wherry_ghost_particles), intent(in) :: ghosts
    type(wherry_particle_array), target :: p(3)
    integer :: ierror, i
    character(300) :: text
    character(*), parameter :: words = 'the arrays are not side by side'
    do i = 1, 3
      p(i) = wherry_growing_array(WHERRY_FLOAT64, 2)
    end do
    call wherry_particle_exchange_start(migrate, p(1:3:2), ierror=ierror, errmsg=text)
    if (ierror == WHERRY_SUCCESS) call wherry_particle_exchange_wait(migrate, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, words)
    call wherry_ghost_particles_start_fill(ghosts, p(1:3:2), ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, words)
    call wherry_ghost_particles_start_fill_positions(ghosts, p(1:3:2), ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, words)
    call wherry_ghost_particles_start_sum_back(ghosts, p(1:3:2), ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, words)
  end subroutine

  subroutine own_memory()
    integer(int64), target :: memory(10)
    type(wherry_particle_array) :: p
    integer :: ierror
    character(300) :: text
    memory = 0
    p = wherry_growing_array(WHERRY_INT64)
    p%grow = c_funloc(grow_in_place)
    p%context = c_loc(memory)
    call wherry_particle_resize(p, 9)
    call require(p%count == 9 .and. memory(1) == 1 .and. c_associated(p%data, c_loc(memory(2))), 'the program''s own memory')
    call wherry_particle_resize(p, 10, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'there is too little memory')
    call wherry_particle_free(p, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'the program frees it')
    call require(p%count == 9, 'it stays as it is')
  end subroutine
end program
