!> Particles: each goes to the rank whose part of the space it is in.
module wherry_particles
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_f_pointer, c_funptr, c_int, c_int8_t, c_int64_t, c_loc, &
    c_null_funptr, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use wherry_boxes, only: domain_for_c, wherry_domain
  use wherry_constants
  use wherry_errors, only: ranks_of, refuse_next, settle
  use wherry_handles
  use wherry_interface
  use wherry_options
  use wherry_particle_arrays, only: in_place, lie_apart, positions_for_c, wherry_particle_array, wherry_positions
  implicit none
  private
  public :: wherry_particle_exchange_create, wherry_particle_exchange_create_by_owner
  public :: wherry_particle_exchange_create_on_plan
  public :: wherry_particle_exchange_run, wherry_particle_exchange_start, wherry_particle_exchange_test
  public :: wherry_particle_exchange_wait, wherry_particle_exchange_permutation, wherry_particle_exchange_neighbors
  public :: wherry_particle_exchange_owner_of, wherry_particle_exchange_cell_of

  ! The order of the particles after a move. It depends on the particles only, not on time.
  !> Particles that arrive fill the places of those that have left, and then places at the end.
  integer, parameter, public :: WHERRY_PARTICLES_FILL_HOLES = 0
  !> Particles that stay keep their order; those that arrive come behind them, by the rank that sent them.
  integer, parameter, public :: WHERRY_PARTICLES_STABLE = 1
  ! What says to which rank a particle belongs.
  integer, parameter, public :: WHERRY_BY_POSITION = 0 !< its position
  integer, parameter, public :: WHERRY_BY_OWNER = 1    !< a list of ranks
  integer, parameter, public :: WHERRY_BY_CELL = 2     !< a list of cells; the owner of the cell is that of the particle

  !> The space in which particles move, in the unit of the positions: lower(d) <= x(d) < upper(d). The process grid says in
  !> which dimensions the space is periodic.
  type, public :: wherry_particle_space
    integer :: dimensions = 3 !< from 1 to 3
    real(real64) :: lower(3) = 0, upper(3) = 1
    !> For a space whose sides are not parallel to the axes: edges(:, d) is the vector from the corner `lower` along side d.
    real(real64) :: edges(3, 3) = 0
    type(c_funptr) :: fractions = c_null_funptr !< a bind(c) subroutine (position, fractions, context) for other spaces
    type(c_ptr) :: context = c_null_ptr         !< handed to `fractions`
  end type

  !> Options of a particle exchange, the same on all ranks.
  type, public :: wherry_particle_options
    integer :: order = WHERRY_PARTICLES_FILL_HOLES
    logical :: neighbors_only = .false. !< no particle moves further than to a rank whose cells touch this rank's
    character(WHERRY_MAX_NAME) :: algorithm = '' !< of the sparse exchange by which particles travel; blank: 'auto'
  end type

  !> How a move finds out to which rank each particle belongs.
  type, public :: wherry_particle_choice
    integer :: by = WHERRY_BY_POSITION
    type(wherry_positions) :: positions = wherry_positions() !< with WHERRY_BY_POSITION
    integer, allocatable :: owners(:)          !< with WHERRY_BY_OWNER: a rank for each particle
    integer(int64), allocatable :: cells(:,:)  !< with WHERRY_BY_CELL: a column for each particle, with a cell from 1
    !> The particles that may have left, by their indices from 1, or by a mask; no other particle is looked at. If neither
    !> is allocated, all particles are looked at.
    integer(int64), allocatable :: leavers(:)
    logical, allocatable :: may_leave(:)
  end type

  !> The result of a move, on this rank.
  type, public :: wherry_particle_move
    integer(int64) :: left = 0, arrived = 0
    integer(int64) :: count = 0 !< the particles that this rank has now
  end type

  !> wherry_particle_exchange_create(grid, space, exchange [, cells] [, options] [, ierror] [, errmsg]): makes an exchange
  !> in which particles belong to the rank of a process grid that owns their cell. `cells` is the number of cells along
  !> each dimension of the space; without it, the ranks along each dimension divide the space evenly. Collective.
  interface wherry_particle_exchange_create
    module procedure create_in_space
  end interface

  !> What the C structures of a call point to.
  type :: choice_memory
    type(c_wherry_particle_choice) :: choice
    integer(c_int), allocatable :: owners(:)
    integer(c_int64_t), allocatable :: cells(:), leavers(:)
    integer(c_int8_t), allocatable :: mask(:)
  end type

contains

  subroutine put_options(from, to, names)
    type(wherry_particle_options), intent(in), optional :: from
    type(c_wherry_particle_options), intent(out) :: to
    type(names_for_c), target, intent(inout) :: names
    to%struct_size = c_sizeof(to)
    if (.not. present(from)) return
    to%order = int(from%order, c_int)
    to%neighbors_only = merge(1_c_int, 0_c_int, from%neighbors_only)
    to%algorithm = put_name(from%algorithm, names%name)
  end subroutine
  function space_for_c(from) result(to)
    type(wherry_particle_space), target, intent(in) :: from
    type(c_wherry_particle_space) :: to
    to%dimensions = int(from%dimensions, c_int)
    to%lower = from%lower
    to%upper = from%upper
    to%edges = from%edges
    to%fractions = from%fractions
    to%context = from%context
  end function
  subroutine put_choice(exchange, from, memory)
    type(wherry_particle_exchange), intent(in) :: exchange
    type(wherry_particle_choice), intent(in), optional :: from
    type(choice_memory), target, intent(inout) :: memory
    memory%choice%struct_size = c_sizeof(memory%choice)
    if (.not. present(from)) return
    memory%choice%by = int(from%by, c_int)
    memory%choice%positions = positions_for_c(from%positions)
    if (allocated(from%owners) .and. allocated(from%cells) .and. c_associated(exchange%c_handle)) &
      call refuse_next('choice%owners and choice%cells are both allocated')
    if (allocated(from%cells) .and. c_associated(exchange%c_handle)) then
      if (size(from%cells, 2) > 0 .and. size(from%cells, 1) /= exchange%dimensions) &
        call refuse_next('a column of choice%cells has not as many values as the space has dimensions')
    end if
    if (allocated(from%owners)) then
      allocate(memory%owners(max(size(from%owners), 1)))
      memory%owners(:size(from%owners)) = int(from%owners, c_int)
      memory%choice%owners = c_loc(memory%owners)
      memory%choice%list_count = size(from%owners, kind=c_int64_t)
    end if
    if (allocated(from%cells)) then
      allocate(memory%cells(max(size(from%cells), 1)))
      memory%cells(:size(from%cells)) = [from%cells - 1]
      memory%choice%cells = c_loc(memory%cells)
      memory%choice%list_count = size(from%cells, 2, kind=c_int64_t)
    end if
    if (allocated(from%leavers) .and. allocated(from%may_leave)) &
      call refuse_next('choice%leavers and choice%may_leave are both allocated')
    if (allocated(from%leavers)) then
      allocate(memory%leavers(max(size(from%leavers), 1)))
      memory%leavers(:size(from%leavers)) = from%leavers - 1
      memory%choice%leavers%data = c_loc(memory%leavers)
      memory%choice%leavers%count = size(from%leavers, kind=c_int64_t)
      memory%choice%leavers%type = WHERRY_INT64
    else if (allocated(from%may_leave)) then
      allocate(memory%mask(max(size(from%may_leave), 1)))
      memory%mask(:size(from%may_leave)) = merge(1_c_int8_t, 0_c_int8_t, from%may_leave)
      memory%choice%leavers%data = c_loc(memory%mask)
      memory%choice%leavers%count = size(from%may_leave, kind=c_int64_t)
      memory%choice%leavers%type = WHERRY_INT8
    end if
  end subroutine

  subroutine create_in_space(grid, space, exchange, cells, options, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    type(wherry_particle_space), target, intent(in) :: space
    type(wherry_particle_exchange), intent(inout) :: exchange
    integer, intent(in), optional :: cells(:)
    type(wherry_particle_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_particle_space), target :: where
    type(c_wherry_particle_options), target :: how
    type(names_for_c), target :: names
    integer(c_int64_t), target :: numbers(3)
    type(c_ptr) :: list
    integer(c_int) :: status
    call wherry_particle_exchange_free(exchange, status)
    where = space_for_c(space)
    call put_options(options, how, names)
    list = c_null_ptr
    if (present(cells)) then
      if (size(cells) /= space%dimensions) call refuse_next('''cells'' has not as many values as the space has dimensions')
      numbers = 1
      numbers(:min(size(cells), 3)) = cells(:min(size(cells), 3))
      list = c_loc(numbers)
    end if
    status = c_particle_exchange_create(grid%c_handle, list, c_loc(where), c_loc(how), exchange%c_handle)
    exchange%dimensions = space%dimensions
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes an exchange in which particles belong to the rank that owns the first box of a floor plan that contains their
  !> cell. `cells` has the cells that divide the space evenly, and says in which dimensions it is periodic. Collective over
  !> `comm`.
  subroutine wherry_particle_exchange_create_on_plan(comm, plan, cells, space, exchange, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_floor_plan), intent(in) :: plan
    type(wherry_domain), intent(in) :: cells
    type(wherry_particle_space), target, intent(in) :: space
    type(wherry_particle_exchange), intent(inout) :: exchange
    type(wherry_particle_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_particle_space), target :: where
    type(c_wherry_particle_options), target :: how
    type(c_wherry_domain), target :: domain
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_particle_exchange_free(exchange, status)
    where = space_for_c(space)
    domain = domain_for_c(cells)
    call put_options(options, how, names)
    status = c_particle_exchange_create_on_plan(comm%c_handle, plan%c_handle, c_loc(domain), c_loc(where), c_loc(how), &
      exchange%c_handle)
    exchange%dimensions = space%dimensions
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes an exchange without a space: each move names the ranks to which particles go. Collective over `comm`.
  subroutine wherry_particle_exchange_create_by_owner(comm, exchange, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_particle_exchange), intent(inout) :: exchange
    type(wherry_particle_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_particle_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_particle_exchange_free(exchange, status)
    call put_options(options, how, names)
    status = c_particle_exchange_create_by_owner(comm%c_handle, c_loc(how), exchange%c_handle)
    exchange%dimensions = 1
    call settle(status, ierror, errmsg)
  end subroutine

  !> Moves the particles in these arrays to their owners. Collective. All arrays have an element for each particle, except
  !> for those with WHERRY_VALUES; they have the same types in the same order on all ranks.
  subroutine wherry_particle_exchange_run(exchange, arrays, moved, choice, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    type(wherry_particle_array), target, contiguous, intent(inout) :: arrays(:)
    type(wherry_particle_move), intent(out), optional :: moved
    type(wherry_particle_choice), intent(in), optional :: choice
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(choice_memory), target :: memory
    type(c_wherry_particle_move) :: result
    integer(c_int) :: status
    call put_choice(exchange, choice, memory)
    status = c_particle_exchange_run(exchange%c_handle, c_loc(memory%choice), size(arrays, kind=c_int), arrays, result)
    if (present(moved)) moved = wherry_particle_move(result%left, result%arrived, result%count)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Starts a move: packs the particles that leave, and sends them. Until wherry_particle_exchange_wait returns, `arrays`
  !> itself must stay where it is (it needs `target`), and the arrays keep their lengths; values may be written, but not
  !> positions, lengths, nor the values of particles that leave. A wrong argument is an error of the wait, on all ranks.
  subroutine wherry_particle_exchange_start(exchange, arrays, choice, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    type(wherry_particle_array), target, intent(inout) :: arrays(:)
    type(wherry_particle_choice), intent(in), optional :: choice
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(choice_memory), target :: memory
    type(wherry_particle_array), pointer, contiguous :: all(:)
    integer(c_int) :: status, count
    call put_choice(exchange, choice, memory)
    count = size(arrays, kind=c_int)
    if (.not. is_contiguous(arrays) .and. c_associated(exchange%c_handle)) then
      call refuse_next(lie_apart)
      count = 1
    end if
    call in_place(arrays, all)
    status = c_particle_exchange_start(exchange%c_handle, c_loc(memory%choice), count, all)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes progress. `done` tells whether the move would end at once. Local.
  subroutine wherry_particle_exchange_test(exchange, done, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_particle_exchange_test(exchange%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Ends the move: waits for the particles that come, and puts them into the arrays.
  subroutine wherry_particle_exchange_wait(exchange, moved, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    type(wherry_particle_move), intent(out), optional :: moved
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_particle_move) :: result
    integer(c_int) :: status
    status = c_particle_exchange_wait(exchange%c_handle, result)
    if (present(moved)) moved = wherry_particle_move(result%left, result%arrived, result%count)
    call settle(status, ierror, errmsg)
  end subroutine

  !> For each particle that this rank has after the last move: its index before the move, from 1, or -k for the k-th that
  !> arrived. Local.
  subroutine wherry_particle_exchange_permutation(exchange, order, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    integer(int64), allocatable, intent(out) :: order(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int64_t) :: count
    integer(c_int64_t), pointer :: from(:)
    integer(c_int) :: status
    list = c_null_ptr
    count = 0
    status = c_particle_exchange_permutation(exchange%c_handle, list, count)
    allocate(order(count))
    if (count > 0) then
      call c_f_pointer(list, from, [count])
      order = merge(from + 1, from, from >= 0)
    end if
    call settle(status, ierror, errmsg)
  end subroutine
  !> The ranks to which particles may go by `neighbors_only`, in ascending order. Local.
  subroutine wherry_particle_exchange_neighbors(exchange, ranks, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    integer, allocatable, intent(out) :: ranks(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: list
    integer(c_int) :: status, count
    list = c_null_ptr
    count = 0
    status = c_particle_exchange_neighbors(exchange%c_handle, list, count)
    call ranks_of(list, count, ranks)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The rank that owns a position, which may be beyond a periodic edge; -1 if there is none. Local.
  subroutine wherry_particle_exchange_owner_of(exchange, position, rank, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    real(real64), intent(in) :: position(:)
    integer, intent(out) :: rank
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: at(3)
    integer(c_int) :: status, owner
    owner = -1
    at = 0
    at(:min(size(position), 3)) = position(:min(size(position), 3))
    status = c_particle_exchange_owner_of(exchange%c_handle, c_loc(at), owner)
    rank = int(owner)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The cell of a position, from 1, which may be beyond a periodic edge. Local.
  subroutine wherry_particle_exchange_cell_of(exchange, position, cell, ierror, errmsg)
    type(wherry_particle_exchange), intent(in) :: exchange
    real(real64), intent(in) :: position(:)
    integer, intent(out) :: cell(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    real(c_double), target :: at(3)
    integer(c_int64_t) :: found(3)
    integer(c_int) :: status
    integer :: n
    at = 0
    found = -1
    n = min(size(cell), 3)
    at(:min(size(position), 3)) = position(:min(size(position), 3))
    status = c_particle_exchange_cell_of(exchange%c_handle, c_loc(at), found)
    cell = 0
    cell(:n) = int(found(:n)) + 1
    call settle(status, ierror, errmsg)
  end subroutine

end module
