! Floor plans, x-arrays, ghost fillers, movers, files: against the value that each cell must have.
program blocks
  use test_support
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  implicit none
  integer, parameter :: nx = 14, ny = 9
  call begin()
  call of_floor_plans()
  call of_ghosts(WHERRY_LAYOUT_FORTRAN, 1)
  call of_ghosts(WHERRY_LAYOUT_FORTRAN, 3)
  call of_motions()
  call of_arrays_of_ours()
  call of_files()
  call wrong_arguments()
  call finish('blocks')
contains
  real(real64) function value(x, y, component)
    integer, intent(in) :: x, y, component
    value = modulo(x - 1, nx) + 100 * modulo(y - 1, ny) + 10000 * component
  end function
  subroutine make_plan(plan)
    type(wherry_floor_plan), intent(inout) :: plan
    call wherry_floor_plan_create([wherry_make_box([1, 1], [6, 4]), wherry_make_box([7, 1], [nx, 4]), &
      wherry_make_box([1, 5], [9, ny]), wherry_make_box([10, 5], [nx, ny])], modulo([0, 1, 2, 3], ranks), plan)
  end subroutine

  subroutine of_floor_plans()
    type(wherry_floor_plan) :: plan, other, third
    type(wherry_box) :: box, mine
    type(wherry_domain) :: space
    integer, allocatable :: numbers(:)
    integer :: n, known, owner, i, total
    character(:), allocatable :: text
    call make_plan(plan)
    call wherry_floor_plan_size(plan, n, known)
    call require(n == 4 .and. known == 4, 'four boxes')
    call wherry_floor_plan_box(plan, 3, box, owner)
    call require(box%lower(2) == 5 .and. box%upper(1) == 9 .and. owner == modulo(2, ranks), 'the third box')
    call wherry_floor_plan_owned_by(plan, rank, numbers)
    call require(size(numbers) == count(modulo([0, 1, 2, 3], ranks) == rank), 'the boxes of this rank')
    call wherry_floor_plan_find(plan, [10, 5], i, owner)
    call require(i == 4 .and. owner == modulo(3, ranks), 'the box of a cell')
    call wherry_floor_plan_find(plan, [nx + 1, 5], i)
    call require(i == 0, 'no box')
    call wherry_floor_plan_bounding_box(plan, box)
    call require(all(box%extents() == [nx, ny]) .and. all(box%lower(:2) == 1), 'the bounding box')
    call wherry_floor_plan_explain(plan, text)
    call require(len(text) > 10, 'a table')
    call wherry_floor_plan_to_json(plan, text)
    call require(len(text) > 10, 'JSON')
    call wherry_floor_plan_decompose(box, ranks, other, largest=[4, 4], method=WHERRY_ASSIGN_ROUND_ROBIN)
    call wherry_floor_plan_size(other, n)
    total = 0
    do i = 1, n
      call wherry_floor_plan_box(other, i, mine)
      call require(all(mine%extents() <= 4), 'small boxes')
      total = total + product(mine%extents())
    end do
    call require(total == nx * ny, 'all cells')
    call wherry_floor_plan_balance(other, ranks, third, weights=[(1d0, i = 1, n)])
    call wherry_floor_plan_even_blocks(box, [2, 2], third, owners=modulo([0, 1, 2, 3], ranks))
    call wherry_floor_plan_block_cyclic(box, [3, 3], [1, ranks], third)
    call wherry_floor_plan_bisected_blocks(box, ranks, third)
    call wherry_floor_plan_values(plan, [.true., .false.], third)
    call wherry_floor_plan_box(third, 1, box)
    call require(all(box%extents() == [7, 4]), 'values on planes')
    space%cells = wherry_make_box([1, 1], [nx, ny])
    space%periodic(1) = .true.
    call wherry_floor_plan_create_distributed(comm, 2, [wherry_make_box([1 + 3 * rank, 1], [3 + 3 * rank, 5])], third, &
      reach=wherry_same_widths(1), space=space)
    call wherry_floor_plan_size(third, n)
    call require(n == ranks, 'a box of each rank')
    call wherry_floor_plan_resolve(comm, plan, wherry_same_widths(1), third)
  end subroutine

  subroutine fill_core(u)
    type(wherry_x_array), intent(in) :: u
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:,:), b(:,:)
    integer :: i, n, x, y, c
    call wherry_x_array_shape(u, blocks=n)
    do i = 1, n
      call wherry_x_array_block(u, i, block)
      if (block%components == 1) then
        call wherry_associate(block%values, b)
        b = -1
      else
        call wherry_associate(block%values, a)
        a = -1
      end if
      do c = 1, block%components
        do y = int(block%core%lower(2)), int(block%core%upper(2))
          do x = int(block%core%lower(1)), int(block%core%upper(1))
            if (block%components == 1) then
              b(x, y) = value(x, y, c)
            else
              a(x, y, c) = value(x, y, c)
            end if
          end do
        end do
      end do
    end do
  end subroutine
  subroutine check(u, periodic)
    type(wherry_x_array), intent(in) :: u
    logical, intent(in) :: periodic
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:,:), b(:,:)
    real(real64) :: wanted, found
    integer :: i, n, x, y, c
    call wherry_x_array_shape(u, blocks=n)
    do i = 1, n
      call wherry_x_array_block(u, i, block)
      if (block%components == 1) then
        call wherry_associate(block%values, b)
        call require(all(lbound(b) == block%whole%lower(:2)) .and. all(ubound(b) == block%whole%upper(:2)), 'global indices')
      else
        call wherry_associate(block%values, a)
      end if
      do c = 1, block%components
        do y = int(block%whole%lower(2)), int(block%whole%upper(2))
          do x = int(block%whole%lower(1)), int(block%whole%upper(1))
            wanted = value(x, y, c)
            if (.not. periodic .and. (x < 1 .or. x > nx .or. y < 1 .or. y > ny)) wanted = -1
            if (block%components == 1) then
              found = b(x, y)
            else
              found = a(x, y, c)
            end if
            call require(found == wanted, 'a cell of a block')
          end do
        end do
      end do
    end do
  end subroutine

  subroutine of_ghosts(layout, components)
    integer, intent(in) :: layout, components
    type(wherry_floor_plan) :: plan, same
    type(wherry_x_array) :: u, v
    type(wherry_exchange) :: fill
    type(wherry_motion_plan) :: motions
    type(wherry_movement) :: movement
    type(wherry_x_array_options) :: options
    integer :: n, c
    call make_plan(plan)
    options%ghost_width = wherry_same_widths(2)
    options%components = components
    options%layout = layout
    options%name = 'u'
    call wherry_x_array_create(comm, plan, WHERRY_FLOAT64, u, options)
    call wherry_x_array_shape(u, dimensions=n, components=c)
    call require(n == 2 .and. c == components, 'the shape')
    call wherry_x_array_plan(u, same)
    call wherry_x_array_adopt(u, same)
    call wherry_ghost_filler_create(u, fill, wherry_torus(wherry_make_box([1, 1], [nx, ny])))
    call fill_core(u)
    call wherry_exchange_run(fill)
    call check(u, .true.)
    call wherry_ghost_filler_create(u, fill)
    call fill_core(u)
    call wherry_exchange_start(fill)
    call wherry_exchange_wait(fill)
    call check(u, .false.)
    ! By a mover of the halo's motions, on another array of the same shape.
    call wherry_motion_plan_halo(plan, wherry_same_widths(2), motions, wherry_torus(wherry_make_box([1, 1], [nx, ny])))
    call movement%set(motions, u, u)
    call wherry_mover_create(comm, [movement], fill)
    call wherry_x_array_create(comm, plan, WHERRY_FLOAT64, v, options)
    call fill_core(v)
    call start_with(fill, v)
    call wherry_exchange_wait(fill)
    call check(v, .true.)
  end subroutine
  subroutine start_with(mover, array)
    type(wherry_exchange), intent(in) :: mover
    type(wherry_x_array), intent(in) :: array
    type(wherry_x_array) :: both(2)
    both%c_handle = array%c_handle
    call wherry_mover_start_with(mover, both)
    both(1)%c_handle = transfer(0_int64, both(1)%c_handle) ! they are no owners
    both(2)%c_handle = both(1)%c_handle
  end subroutine

  subroutine of_motions()
    type(wherry_floor_plan) :: rows, columns
    type(wherry_motion_plan) :: there, back, turned
    type(wherry_motion) :: entry
    type(wherry_x_array) :: u, v
    type(wherry_box) :: box
    integer :: n, i, stages
    character(:), allocatable :: text
    box = wherry_make_box([1, 1], [nx, ny])
    call wherry_floor_plan_even_blocks(box, [1, ranks], rows)
    call wherry_floor_plan_even_blocks(box, [ranks, 1], columns)
    call wherry_motion_plan_redistribution(rows, columns, there)
    call wherry_motion_plan_reversed(there, back)
    call wherry_motion_plan_stages(there, stages)
    call require(stages == 1, 'one stage')
    call wherry_motion_plan_explain(there, rows, columns, text)
    call require(len(text) > 10, 'a table of motions')
    call wherry_x_array_create(comm, rows, WHERRY_FLOAT64, u)
    call wherry_x_array_create(comm, columns, WHERRY_FLOAT64, v)
    call fill_core(u)
    call wherry_redistribute(u, v)
    call check(v, .false.)
    ! A list of our own.
    call wherry_motion_plan_create(2, turned)
    entry%source = wherry_make_box([1, 1], [2, 3])
    entry%destination = wherry_make_box([1, 1], [3, 2])
    entry%axes = [2, 1]
    call wherry_motion_plan_add(turned, entry)
    entry = wherry_motion()
    call wherry_motion_plan_entry(turned, 1, entry)
    call wherry_motion_plan_append(turned, turned, i)
    call wherry_motion_plan_size(turned, n)
    call require(n >= 1 .and. entry%from == 1 .and. all(entry%axes == [2, 1]) .and. entry%source%upper(2) == 3, 'an entry')
    call wherry_motion_plan_clear(turned)
    call wherry_motion_plan_size(turned, n)
    call require(n == 0, 'no entries')
    call wherry_motion_plan_transposition(rows, columns, [2, 1], turned)
  end subroutine

  ! The program's own arrays as grids, and a halo exchange of them over the floor plan.
  subroutine of_arrays_of_ours()
    type(wherry_floor_plan) :: plan
    type(wherry_x_array) :: u
    type(wherry_exchange) :: fill
    type(wherry_x_array_options) :: options
    type(wherry_field) :: fields(1, 2)
    type(wherry_view) :: grids(2)
    real(real64), allocatable, target :: a(:,:), b(:,:)
    integer :: n
    n = merge(2, 0, rank == 0)
    if (ranks > 1) n = merge(1, 0, rank <= 1)
    call wherry_floor_plan_create([wherry_make_box([1, 1], [6, ny]), wherry_make_box([7, 1], [nx, ny])], &
      [0, min(1, ranks - 1)], plan)
    allocate(a(0:merge(7, nx + 1 - 6, rank == 0), 0:ny + 1), b(6:nx + 1, 0:ny + 1), source=0d0)
    grids(1) = wherry_view(a)
    grids(2) = wherry_view(b)
    if (rank > 0) grids(1) = wherry_view(b)
    options%ghost_width = wherry_same_widths(1)
    call wherry_x_array_create_over(comm, plan, WHERRY_FLOAT64, grids(:n), u, options)
    fields(1, 1) = wherry_field(grids(1), 1)
    fields(1, 2) = wherry_field(grids(2), 1)
    call wherry_halo_exchange_create_on_plan(comm, plan, fields(:, :n), fill, wherry_torus(wherry_make_box([1, 1], [nx, ny])))
    call fill_core(u)
    call wherry_exchange_run(fill)
    call check(u, .true.)
  end subroutine

  subroutine of_files()
    type(wherry_floor_plan) :: plan, other
    type(wherry_x_array) :: u, v
    type(wherry_array_series) :: series
    type(wherry_array_writer) :: writer
    integer(int64) :: filled
    integer(int64), allocatable :: steps(:)
    character(*), parameter :: path = 'fortran_blocks.wherry'
    character(80) :: file
    integer :: n, unit, ierr
    logical :: done
    write (file, '(a, i0)') path, ranks
    call make_plan(plan)
    call wherry_x_array_create(comm, plan, WHERRY_FLOAT64, u)
    call fill_core(u)
    call wherry_write_array(trim(file), u)
    call wherry_read_floor_plan(comm, trim(file), other)
    call wherry_floor_plan_even_blocks(wherry_make_box([1, 1], [nx, ny]), [ranks, 1], other)
    call wherry_x_array_create(comm, other, WHERRY_FLOAT64, v)
    call wherry_read_array(trim(file), v, filled=filled)
    call require(filled == nx * ny, 'all cells of the file')
    call check(v, .false.)
    call wherry_array_writer_create(u, writer, options=wherry_array_file_options(snapshot=.true.))
    call wherry_array_writer_start(writer, trim(file))
    done = .false.
    do while (.not. done)
      call wherry_array_writer_test(writer, done)
    end do
    call wherry_array_writer_wait(writer, n)
    call wherry_array_series_create(comm, trim(file) // '.series', series)
    call wherry_array_series_write(series, 'u', 7, u)
    call wherry_array_series_write(series, 'u', 9, u)
    call wherry_array_series_size(series, n)
    call wherry_array_series_steps(series, 'u', steps)
    call require(n == 2 .and. all(steps == [7, 9]), 'the steps of a series')
    call wherry_x_array_create(comm, other, WHERRY_FLOAT64, v)
    call wherry_array_series_read(series, 'u', 9, v, filled=filled)
    call require(filled == nx * ny, 'all cells of the series')
    call check(v, .false.)
    call wherry_array_series_free(series)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      open (newunit=unit, file=trim(file))
      close (unit, status='delete')
      open (newunit=unit, file=trim(file) // '.series')
      close (unit, status='delete')
    end if
  end subroutine

  subroutine wrong_arguments()
    type(wherry_floor_plan) :: plan
    type(wherry_x_array) :: u
    type(wherry_exchange) :: fill
    type(wherry_box) :: box
    integer :: ierror
    character(300) :: text
    call wherry_floor_plan_create([wherry_make_box([1], [5])], [0, 1], plan, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''owners'' has not as many values')
    call wherry_x_array_create(comm, plan, WHERRY_FLOAT64, u, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''plan'' is NULL')
    call wherry_ghost_filler_create(u, fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'NULL')
    call make_plan(plan)
    call wherry_floor_plan_box(plan, 5, box, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'box 4 of 4 does not exist')
    call wherry_x_array_create(comm, plan, int(z'05000003'), u, ierror=ierror, errmsg=text)
    call require(ierror == WHERRY_ERROR_ARGUMENT, 'a type that does not exist')
    call wherry_floor_plan_even_blocks(wherry_make_box([1], [5]), [2, 2], plan, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''pieces'' has not as many values')
    call too_many_values()
  end subroutine
  ! Lists for which C's structures have no room.
  subroutine too_many_values()
    type(wherry_floor_plan) :: plan, other
    type(wherry_motion_plan) :: motions
    type(wherry_motion) :: entry
    integer :: ierror, i
    integer, parameter :: ten(10) = [(1, i = 1, 10)]
    logical, parameter :: planes(10) = [(.false., i = 1, 10)]
    character(300) :: text
    character(*), parameter :: words = ' has more values than there are dimensions'
    call make_plan(plan)
    call wherry_floor_plan_decompose(wherry_make_box([1], [5]), 2, other, largest=ten, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''largest''' // words)
    call wherry_floor_plan_decompose(wherry_make_box([1], [5]), 2, other, multiple_of=ten, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''multiple_of''' // words)
    call wherry_floor_plan_values(plan, planes, other, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''on_planes''' // words)
    call wherry_floor_plan_coarsened(plan, ten, 0, other, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''ratio''' // words)
    call wherry_motion_plan_create(1, motions)
    entry%source = wherry_make_box([1], [1])
    entry%destination = entry%source
    entry%axes = ten
    call wherry_motion_plan_add(motions, entry, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''entry%axes'' has not as many values')
  end subroutine
end program
