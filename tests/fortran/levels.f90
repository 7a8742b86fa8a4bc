! Levels of refinement: against the value that each fine ghost cell and each coarse cell must have.
module levels_of_test
  use wherry
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 12, ny = 10 ! coarse cells
  integer :: calls = 0, known = 0
  type(wherry_communicator) :: kept ! that a function called by Wherry may not free
  logical :: refused = .false.
contains
  ! The coarse cell that contains a fine cell, also of cells before the first one.
  integer function below_cell(x)
    integer, intent(in) :: x
    below_cell = (x - 1 - modulo(x - 1, 2)) / 2 + 1
  end function

  real(real64) function coarse_value(x, y)
    integer, intent(in) :: x, y
    coarse_value = 1000 + modulo(x - 1, nx) + 50 * modulo(y - 1, ny)
  end function

  real(real64) function fine_value(x, y)
    integer, intent(in) :: x, y
    fine_value = 1 + modulo(x - 1, 2) + 2 * modulo(y - 1, 2) + 8 * below_cell(x)
  end function

  ! Sets fine cells to the coarse cells that contain them.
  subroutine constant(from, to, cells, failure)
    type(wherry_block), intent(in) :: from, to
    type(wherry_box), intent(in) :: cells
    integer, intent(inout) :: failure
    real(real64), pointer :: coarse(:,:), fine(:,:)
    integer :: x, y
    call wherry_associate(from%values, coarse)
    call wherry_associate(to%values, fine)
    do y = int(cells%lower(2)), int(cells%upper(2))
      do x = int(cells%lower(1)), int(cells%upper(1))
        fine(x, y) = coarse(below_cell(x), below_cell(y))
      end do
    end do
    call wherry_communicator_free(kept, failure)
    refused = failure == WHERRY_ERROR_STATE .and. wherry_exists(kept)
    failure = 0
    calls = calls + 1
  end subroutine

  ! Sets coarse cells to the last of the four fine cells above them.
  subroutine last(from, to, cells, failure)
    type(wherry_block), intent(in) :: from, to
    type(wherry_box), intent(in) :: cells
    integer, intent(inout) :: failure
    real(real64), pointer :: coarse(:,:), fine(:,:)
    integer :: x, y
    call wherry_associate(from%values, fine)
    call wherry_associate(to%values, coarse)
    do y = int(cells%lower(2)), int(cells%upper(2))
      do x = int(cells%lower(1)), int(cells%upper(1))
        coarse(x, y) = fine(2 * x, 2 * y)
      end do
    end do
    failure = 0
  end subroutine

  subroutine failing(from, to, cells, failure)
    type(wherry_block), intent(in) :: from, to
    type(wherry_box), intent(in) :: cells
    integer, intent(inout) :: failure
    failure = from%components + to%components + cells%dimensions ! 4
  end subroutine

  subroutine of_each_component(from, to, cells, failure)
    type(wherry_block), intent(in) :: from, to
    type(wherry_box), intent(in) :: cells
    integer, intent(inout) :: failure
    real(real64), pointer :: below(:,:,:), above(:,:,:)
    integer :: x, y
    call wherry_associate(from%values, below)
    call wherry_associate(to%values, above)
    do y = int(cells%lower(2)), int(cells%upper(2))
      do x = int(cells%lower(1)), int(cells%upper(1))
        above(x, y, :) = below(below_cell(x), below_cell(y), :) + known
      end do
    end do
    failure = 0
  end subroutine
end module
program levels
  use test_support
  use levels_of_test
  use, intrinsic :: iso_c_binding, only: c_int32_t
  use, intrinsic :: iso_fortran_env, only: int32, real32, real64
  implicit none
  real(real64), parameter :: untouched = -1
  call begin()
  call wherry_communicator_create(MPI_COMM_WORLD, kept)
  call of_ghosts_and_means()
  call require(refused .or. calls == 0, 'an object stays when it may not be freed')
  call wherry_communicator_free(kept)
  call require(.not. wherry_exists(kept), 'and is freed afterwards')
  call of_several_components()
  call of_values_on_planes()
  call of_integers()
  call wrong_arguments()
  call finish('levels')
contains
  subroutine make_levels(type, coarse, fine, components, on_planes)
    integer(c_int32_t), intent(in) :: type
    type(wherry_x_array), intent(inout) :: coarse, fine
    integer, intent(in), optional :: components
    logical, intent(in), optional :: on_planes(2)
    type(wherry_floor_plan) :: below, above
    type(wherry_x_array_options) :: options
    call wherry_floor_plan_decompose(wherry_make_box([1, 1], [nx, ny]), ranks, below)
    call wherry_floor_plan_create([wherry_make_box([5, 5], [12, 10]), wherry_make_box([13, 5], [16, 8])], [0, ranks - 1], above)
    options%ghost_width = wherry_same_widths(2)
    if (present(components)) options%components = components
    if (present(on_planes)) options%on_planes(:2) = on_planes
    call wherry_x_array_create(comm, below, type, coarse, options)
    call wherry_x_array_create(comm, above, type, fine, options)
  end subroutine
  type(wherry_domain) function torus()
    torus = wherry_torus(wherry_make_box([1, 1], [nx, ny]))
  end function
  logical function is_fine(x, y)
    integer, intent(in) :: x, y
    is_fine = (x >= 5 .and. x <= 12 .and. y >= 5 .and. y <= 10) .or. (x >= 13 .and. x <= 16 .and. y >= 5 .and. y <= 8)
  end function
  subroutine set(array, of_cores)
    type(wherry_x_array), intent(in) :: array
    interface
      real(kind(1d0)) function of_cores(x, y)
        integer, intent(in) :: x, y
      end function
    end interface
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:)
    integer :: i, n, x, y
    call wherry_x_array_shape(array, blocks=n)
    do i = 1, n
      call wherry_x_array_block(array, i, block)
      call wherry_associate(block%values, a)
      a = untouched
      do y = int(block%core%lower(2)), int(block%core%upper(2))
        do x = int(block%core%lower(1)), int(block%core%upper(1))
          a(x, y) = of_cores(x, y)
        end do
      end do
    end do
  end subroutine
  subroutine check_fine(fine, cores_are_coarse, ghosts_are_set)
    type(wherry_x_array), intent(in) :: fine
    logical, intent(in) :: cores_are_coarse, ghosts_are_set
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:)
    real(real64) :: wanted
    integer :: i, n, x, y
    call wherry_x_array_shape(fine, blocks=n)
    do i = 1, n
      call wherry_x_array_block(fine, i, block)
      call wherry_associate(block%values, a)
      do y = lbound(a, 2), ubound(a, 2)
        do x = lbound(a, 1), ubound(a, 1)
          wanted = untouched
          if (block%core%contains([x, y])) then
            wanted = fine_value(x, y)
            if (cores_are_coarse) wanted = coarse_value(below_cell(x), below_cell(y))
          else if (ghosts_are_set .and. .not. is_fine(x, y)) then
            wanted = coarse_value(below_cell(x), below_cell(y))
          end if
          call require(a(x, y) == wanted, 'a fine cell')
        end do
      end do
    end do
  end subroutine
  ! Coarse cells below fine boxes are `offset` and 8 times their first index.
  subroutine check_coarse(coarse, offset)
    type(wherry_x_array), intent(in) :: coarse
    real(real64), intent(in) :: offset
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:)
    real(real64) :: wanted
    integer :: i, n, x, y
    call wherry_x_array_shape(coarse, blocks=n)
    do i = 1, n
      call wherry_x_array_block(coarse, i, block)
      call wherry_associate(block%values, a)
      do y = int(block%core%lower(2)), int(block%core%upper(2))
        do x = int(block%core%lower(1)), int(block%core%upper(1))
          wanted = coarse_value(x, y)
          if (is_fine(2 * x, 2 * y)) wanted = offset + 8 * x
          call require(a(x, y) == wanted, 'a coarse cell')
        end do
      end do
    end do
  end subroutine

  subroutine of_ghosts_and_means()
    type(wherry_x_array) :: coarse, fine
    type(wherry_level_coupling) :: levels
    type(wherry_box_part), allocatable :: parts(:)
    type(wherry_statistics) :: moved
    character(:), allocatable :: text
    character(200) :: errmsg
    integer :: i, ierror
    logical :: done
    call make_levels(WHERRY_FLOAT64, coarse, fine)
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, wherry_level_options(reach=0))
    call set(coarse, coarse_value)
    call set(fine, fine_value)
    calls = 0
    call wherry_level_start_ghosts(levels)
    done = .false.
    do while (.not. done)
      call wherry_level_test_ghosts(levels, done)
    end do
    call wherry_level_wait_ghosts(levels, constant)
    call wherry_level_ghosts(levels, parts)
    call require(calls == size(parts), 'a call for each part')
    do i = 1, size(parts)
      call require(parts(i)%number >= 1 .and. parts(i)%number <= 2, 'the box of a part')
      call require(.not. is_fine(int(parts(i)%cells%lower(1)), int(parts(i)%cells%lower(2))), 'a part has ghost cells')
    end do
    call require(rank > 0 .or. size(parts) > 0, 'the first box has ghost cells of the coarse level')
    call check_fine(fine, .false., .true.)
    call set(fine, fine_value)
    call wherry_level_fill_all(levels, constant)
    call check_fine(fine, .true., .false.)
    call wherry_level_fill_ghosts(levels, constant)
    call check_fine(fine, .true., .true.)

    call set(fine, fine_value)
    call wherry_level_average_down(levels)
    call check_coarse(coarse, 2.5_real64)
    call set(coarse, coarse_value)
    call wherry_level_start_average_down(levels, last)
    done = .false.
    do while (.not. done)
      call wherry_level_test_average_down(levels, done)
    end do
    call wherry_level_wait_average_down(levels)
    call check_coarse(coarse, 4.0_real64)
    call wherry_level_statistics(levels, moved)
    call require(moved%exchanges >= 3, 'three exchanges are counted')
    call wherry_level_explain(levels, text)
    call require(index(text, 'down, means') > 0, 'a table of both directions')
    call wherry_level_transport(levels, text)
    call require(len(text) > 0, 'a transport')
    ! A procedure that fails is an error of its rank, which has a part of a fine box.
    if (rank == 0) then
      call wherry_level_average_down(levels, failing, ierror, errmsg)
      call fails(ierror, errmsg, WHERRY_ERROR_RESOURCE, 'the program''s function returned 4')
    else
      call wherry_level_average_down(levels, last)
    end if
    call set(coarse, coarse_value)
    call wherry_level_average_down(levels, last)
    call check_coarse(coarse, 4.0_real64)
  end subroutine

  ! Components are the last dimension.
  subroutine of_several_components()
    type(wherry_x_array) :: coarse, fine
    type(wherry_level_coupling) :: levels
    type(wherry_block) :: block
    real(real64), pointer :: a(:,:,:)
    integer :: i, n, x, y, c
    call make_levels(WHERRY_FLOAT64, coarse, fine, components=3)
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, wherry_level_options(reach=0))
    call wherry_x_array_shape(coarse, blocks=n)
    do i = 1, n
      call wherry_x_array_block(coarse, i, block)
      call wherry_associate(block%values, a)
      do c = 1, 3
        do y = int(block%core%lower(2)), int(block%core%upper(2))
          do x = int(block%core%lower(1)), int(block%core%upper(1))
            a(x, y, c) = coarse_value(x, y) + 100000 * c
          end do
        end do
      end do
    end do
    known = 7
    call wherry_level_fill_ghosts(levels, of_each_component)
    call wherry_x_array_shape(fine, blocks=n)
    do i = 1, n
      call wherry_x_array_block(fine, i, block)
      call wherry_associate(block%values, a)
      do c = 1, 3
        do y = lbound(a, 2), ubound(a, 2)
          do x = lbound(a, 1), ubound(a, 1)
            if (is_fine(x, y)) cycle
            call require(a(x, y, c) == coarse_value(below_cell(x), below_cell(y)) + 100000 * c + known, 'a component')
          end do
        end do
      end do
    end do
  end subroutine
  ! Fluxes through faces: a value on a coarse plane is the mean of those of the two fine faces.
  subroutine of_values_on_planes()
    type(wherry_x_array) :: coarse, fine
    type(wherry_level_coupling) :: levels
    type(wherry_block) :: block
    real(real32), pointer :: a(:,:)
    integer :: i, n, x, y
    logical :: covered
    call make_levels(WHERRY_FLOAT32, coarse, fine, on_planes=[.true., .false.])
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, wherry_level_options(reach=0))
    call wherry_x_array_shape(coarse, blocks=n)
    do i = 1, n
      call wherry_x_array_block(coarse, i, block)
      call wherry_associate(block%values, a)
      a = -1
    end do
    call wherry_x_array_shape(fine, blocks=n)
    do i = 1, n
      call wherry_x_array_block(fine, i, block)
      call wherry_associate(block%values, a)
      do y = lbound(a, 2), ubound(a, 2)
        do x = lbound(a, 1), ubound(a, 1)
          a(x, y) = real(x + 10 * modulo(y, 2), real32)
        end do
      end do
    end do
    call wherry_level_average_down(levels)
    call wherry_x_array_shape(coarse, blocks=n)
    do i = 1, n
      call wherry_x_array_block(coarse, i, block)
      call wherry_associate(block%values, a)
      do y = int(block%core%lower(2)), int(block%core%upper(2))
        do x = int(block%core%lower(1)), int(block%core%upper(1))
          ! Plane x lies before the coarse cell x, thus before the fine cell 2 x - 1.
          covered = is_fine(2 * x - 1, 2 * y) .or. is_fine(2 * x - 2, 2 * y)
          call require(a(x, y) == merge(real(2 * x - 1 + 5, real32), -1.0_real32, covered), 'a flux')
        end do
      end do
    end do
  end subroutine

  ! Integers have no mean, so that all ranks must give an average.
  subroutine of_integers()
    type(wherry_x_array) :: coarse, fine
    type(wherry_level_coupling) :: levels
    integer :: ierror
    character(200) :: errmsg
    call make_levels(WHERRY_INT32, coarse, fine)
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels)
    if (rank == ranks - 1) then
      call wherry_level_average_down(levels, ierror=ierror, errmsg=errmsg)
    else
      call wherry_level_average_down(levels, failing, ierror, errmsg)
    end if
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''average'' is NULL')
  end subroutine

  subroutine wrong_arguments()
    type(wherry_x_array) :: coarse, fine, other, nothing
    type(wherry_level_coupling) :: levels
    type(wherry_level_options) :: options
    integer :: ierror
    character(200) :: errmsg
    call make_levels(WHERRY_FLOAT64, coarse, fine)
    call make_levels(WHERRY_FLOAT32, other, nothing)
    call wherry_x_array_free(nothing)
    call wherry_level_coupling_create(other, fine, torus(), [2, 2], levels, ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''coarse'' has elements of another type')
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 0], levels, ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''ratio'' is 0 in dimension 1')
    ! What one rank does wrong is an error of all.
    if (rank == ranks - 1) then
      call wherry_level_coupling_create(coarse, fine, torus(), [2, 2, 2], levels, ierror=ierror, errmsg=errmsg)
    else
      call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, ierror=ierror, errmsg=errmsg)
    end if
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''ratio'' has not as many values')
    call require(.not. wherry_exists(levels), 'no levels after an error')
    options%reach = merge(-1, 1, rank == ranks - 1)
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, options, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''options%reach'' is below 0')
    if (rank == ranks - 1) then
      call wherry_level_coupling_create(nothing, fine, torus(), [2, 2], levels, ierror=ierror, errmsg=errmsg)
    else
      call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels, ierror=ierror, errmsg=errmsg)
    end if
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''coarse'' is NULL')
    call wherry_level_start_ghosts(levels, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''levels'' is NULL')
    call wherry_level_coupling_create(coarse, fine, torus(), [2, 2], levels)
    call wherry_level_wait_average_down(levels, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_STATE, 'start')
  end subroutine
end program
