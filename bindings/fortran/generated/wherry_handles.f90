! Written by generate.py; changes belong there.
!> Handles: variables that own an object of Wherry's.
module wherry_handles
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_null_ptr, c_ptr
  use wherry_constants, only: WHERRY_ERROR_STATE
  use wherry_interface
  use wherry_errors, only: settle, stop_with
  implicit none
  private
  public :: wherry_move, wherry_exists
  public :: wherry_communicator_free, wherry_process_grid_free, wherry_exchange_free, &
      wherry_index_lists_free, wherry_index_plan_free, wherry_ghost_layers_free, wherry_layered_field_free, &
      wherry_arrivals_free, wherry_arriving_free, wherry_sparse_plan_free, wherry_particle_exchange_free, &
      wherry_ghost_particles_free, wherry_floor_plan_free, wherry_x_array_free, wherry_motion_plan_free, &
      wherry_level_coupling_free, wherry_array_series_free, wherry_array_writer_free, wherry_segment_free, &
      wherry_segment_queue_free, wherry_published_layouts_free, wherry_passive_messages_free, &
      wherry_rank_group_free

  !> Stands for a communicator.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_communicator
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_communicator
    generic :: assignment(=) => assign_communicator
    final :: end_communicator
  end type

  !> Stands for a process grid.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_process_grid
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_process_grid
    generic :: assignment(=) => assign_process_grid
    final :: end_process_grid
  end type

  !> Stands for an exchange, which was planned once and runs any number of times.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_exchange
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_exchange
    generic :: assignment(=) => assign_exchange
    final :: end_exchange
  end type

  !> Stands for one rank's part of an exchange by indices.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_index_lists
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_index_lists
    generic :: assignment(=) => assign_index_lists
    final :: end_index_lists
  end type

  !> Stands for index lists that have been planned once, for arrays of certain shapes.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_index_plan
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_index_plan
    generic :: assignment(=) => assign_index_plan
    final :: end_index_plan
  end type

  !> Stands for the layers of a rank's ghosts, and the exchanges that fill them.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_ghost_layers
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_ghost_layers
    generic :: assignment(=) => assign_ghost_layers
    final :: end_ghost_layers
  end type

  !> Stands for an array, and the number of layers whose ghosts have the values of their owners.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_layered_field
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_layered_field
    generic :: assignment(=) => assign_layered_field
    final :: end_layered_field
  end type

  !> Stands for elements that have arrived.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_arrivals
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_arrivals
    generic :: assignment(=) => assign_arrivals
    final :: end_arrivals
  end type

  !> Stands for a sparse exchange that has begun.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_arriving
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_arriving
    generic :: assignment(=) => assign_arriving
    final :: end_arriving
  end type

  !> Stands for a sparse exchange that is repeated.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_sparse_plan
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_sparse_plan
    generic :: assignment(=) => assign_sparse_plan
    final :: end_sparse_plan
  end type

  !> Stands for what moves particles to their owners.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_particle_exchange
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
    integer :: dimensions = 0 !< of the space; 1 without a space; set by what makes the exchange
  contains
    procedure, private :: assign_particle_exchange
    generic :: assignment(=) => assign_particle_exchange
    final :: end_particle_exchange
  end type

  !> Stands for the ghosts of the particles of an exchange.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_ghost_particles
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_ghost_particles
    generic :: assignment(=) => assign_ghost_particles
    final :: end_ghost_particles
  end type

  !> Stands for a floor plan: which boxes there are, and which rank owns each.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_floor_plan
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_floor_plan
    generic :: assignment(=) => assign_floor_plan
    final :: end_floor_plan
  end type

  !> Stands for a distributed array with one grid for each box of a floor plan.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_x_array
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_x_array
    generic :: assignment(=) => assign_x_array
    final :: end_x_array
  end type

  !> Stands for what moves from which box to which box.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_motion_plan
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_motion_plan
    generic :: assignment(=) => assign_motion_plan
    final :: end_motion_plan
  end type

  !> Stands for a coarse and a fine x-array that fill each other.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_level_coupling
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_level_coupling
    generic :: assignment(=) => assign_level_coupling
    final :: end_level_coupling
  end type

  !> Stands for an open file of many arrays.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_array_series
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_array_series
    generic :: assignment(=) => assign_array_series
    final :: end_array_series
  end type

  !> Stands for what writes the same x-array any number of times.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_array_writer
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_array_writer
    generic :: assignment(=) => assign_array_writer
    final :: end_array_writer
  end type

  !> Stands for memory that other ranks write and read.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_segment
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_segment
    generic :: assignment(=) => assign_segment
    final :: end_segment
  end type

  !> Stands for writes and reads of segments with one wait.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_segment_queue
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_segment_queue
    generic :: assignment(=) => assign_segment_queue
    final :: end_segment_queue
  end type

  !> Stands for arrays that ranks of a node read in place.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_published_layouts
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_published_layouts
    generic :: assignment(=) => assign_published_layouts
    final :: end_published_layouts
  end type

  !> Stands for messages for ranks that do not know the senders.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_passive_messages
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_passive_messages
    generic :: assignment(=) => assign_passive_messages
    final :: end_passive_messages
  end type

  !> Stands for ranks that communicate without the others of their communicator.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_rank_group
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_rank_group
    generic :: assignment(=) => assign_rank_group
    final :: end_rank_group
  end type

  !> wherry_move(from, to): gives the object to another variable, which frees what it had.
  interface wherry_move
    module procedure move_communicator, move_process_grid, move_exchange, move_index_lists, move_index_plan, &
      move_ghost_layers, move_layered_field, move_arrivals, move_arriving, move_sparse_plan, &
      move_particle_exchange, move_ghost_particles, move_floor_plan, move_x_array, move_motion_plan, &
      move_level_coupling, move_array_series, move_array_writer, move_segment, move_segment_queue, &
      move_published_layouts, move_passive_messages, move_rank_group
  end interface
  !> wherry_exists(handle): whether the variable has an object.
  interface wherry_exists
    module procedure exists_communicator, exists_process_grid, exists_exchange, exists_index_lists, &
      exists_index_plan, exists_ghost_layers, exists_layered_field, exists_arrivals, exists_arriving, &
      exists_sparse_plan, exists_particle_exchange, exists_ghost_particles, exists_floor_plan, exists_x_array, &
      exists_motion_plan, exists_level_coupling, exists_array_series, exists_array_writer, exists_segment, &
      exists_segment_queue, exists_published_layouts, exists_passive_messages, exists_rank_group
  end interface

contains

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_communicator_free(communicator, ierror, errmsg)
    type(wherry_communicator), intent(inout) :: communicator
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_communicator_free(communicator%c_handle)
    if (status /= WHERRY_ERROR_STATE) communicator%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_communicator(from, to)
    type(wherry_communicator), intent(inout) :: from, to
    call wherry_communicator_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_communicator(communicator) result(exists)
    type(wherry_communicator), intent(in) :: communicator
    exists = c_associated(communicator%c_handle)
  end function
  subroutine assign_communicator(to, from)
    class(wherry_communicator), intent(inout) :: to
    type(wherry_communicator), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_communicator', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_communicator(communicator)
    type(wherry_communicator), intent(inout) :: communicator
    integer(c_int) :: ignored
    if (.not. c_associated(communicator%c_handle)) return
    ignored = c_communicator_free(communicator%c_handle)
    communicator%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_process_grid_free(process_grid, ierror, errmsg)
    type(wherry_process_grid), intent(inout) :: process_grid
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_process_grid_free(process_grid%c_handle)
    if (status /= WHERRY_ERROR_STATE) process_grid%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_process_grid(from, to)
    type(wherry_process_grid), intent(inout) :: from, to
    call wherry_process_grid_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_process_grid(process_grid) result(exists)
    type(wherry_process_grid), intent(in) :: process_grid
    exists = c_associated(process_grid%c_handle)
  end function
  subroutine assign_process_grid(to, from)
    class(wherry_process_grid), intent(inout) :: to
    type(wherry_process_grid), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_process_grid', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_process_grid(process_grid)
    type(wherry_process_grid), intent(inout) :: process_grid
    integer(c_int) :: ignored
    if (.not. c_associated(process_grid%c_handle)) return
    ignored = c_process_grid_free(process_grid%c_handle)
    process_grid%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_exchange_free(exchange, ierror, errmsg)
    type(wherry_exchange), intent(inout) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_exchange_free(exchange%c_handle)
    if (status /= WHERRY_ERROR_STATE) exchange%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_exchange(from, to)
    type(wherry_exchange), intent(inout) :: from, to
    call wherry_exchange_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_exchange(exchange) result(exists)
    type(wherry_exchange), intent(in) :: exchange
    exists = c_associated(exchange%c_handle)
  end function
  subroutine assign_exchange(to, from)
    class(wherry_exchange), intent(inout) :: to
    type(wherry_exchange), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_exchange', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_exchange(exchange)
    type(wherry_exchange), intent(inout) :: exchange
    integer(c_int) :: ignored
    if (.not. c_associated(exchange%c_handle)) return
    ignored = c_exchange_free(exchange%c_handle)
    exchange%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_index_lists_free(index_lists, ierror, errmsg)
    type(wherry_index_lists), intent(inout) :: index_lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_index_lists_free(index_lists%c_handle)
    if (status /= WHERRY_ERROR_STATE) index_lists%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_index_lists(from, to)
    type(wherry_index_lists), intent(inout) :: from, to
    call wherry_index_lists_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_index_lists(index_lists) result(exists)
    type(wherry_index_lists), intent(in) :: index_lists
    exists = c_associated(index_lists%c_handle)
  end function
  subroutine assign_index_lists(to, from)
    class(wherry_index_lists), intent(inout) :: to
    type(wherry_index_lists), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_index_lists', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_index_lists(index_lists)
    type(wherry_index_lists), intent(inout) :: index_lists
    integer(c_int) :: ignored
    if (.not. c_associated(index_lists%c_handle)) return
    ignored = c_index_lists_free(index_lists%c_handle)
    index_lists%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_index_plan_free(index_plan, ierror, errmsg)
    type(wherry_index_plan), intent(inout) :: index_plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_index_plan_free(index_plan%c_handle)
    if (status /= WHERRY_ERROR_STATE) index_plan%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_index_plan(from, to)
    type(wherry_index_plan), intent(inout) :: from, to
    call wherry_index_plan_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_index_plan(index_plan) result(exists)
    type(wherry_index_plan), intent(in) :: index_plan
    exists = c_associated(index_plan%c_handle)
  end function
  subroutine assign_index_plan(to, from)
    class(wherry_index_plan), intent(inout) :: to
    type(wherry_index_plan), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_index_plan', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_index_plan(index_plan)
    type(wherry_index_plan), intent(inout) :: index_plan
    integer(c_int) :: ignored
    if (.not. c_associated(index_plan%c_handle)) return
    ignored = c_index_plan_free(index_plan%c_handle)
    index_plan%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_ghost_layers_free(ghost_layers, ierror, errmsg)
    type(wherry_ghost_layers), intent(inout) :: ghost_layers
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_ghost_layers_free(ghost_layers%c_handle)
    if (status /= WHERRY_ERROR_STATE) ghost_layers%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_ghost_layers(from, to)
    type(wherry_ghost_layers), intent(inout) :: from, to
    call wherry_ghost_layers_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_ghost_layers(ghost_layers) result(exists)
    type(wherry_ghost_layers), intent(in) :: ghost_layers
    exists = c_associated(ghost_layers%c_handle)
  end function
  subroutine assign_ghost_layers(to, from)
    class(wherry_ghost_layers), intent(inout) :: to
    type(wherry_ghost_layers), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_ghost_layers', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_ghost_layers(ghost_layers)
    type(wherry_ghost_layers), intent(inout) :: ghost_layers
    integer(c_int) :: ignored
    if (.not. c_associated(ghost_layers%c_handle)) return
    ignored = c_ghost_layers_free(ghost_layers%c_handle)
    ghost_layers%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_layered_field_free(layered_field, ierror, errmsg)
    type(wherry_layered_field), intent(inout) :: layered_field
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_layered_field_free(layered_field%c_handle)
    if (status /= WHERRY_ERROR_STATE) layered_field%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_layered_field(from, to)
    type(wherry_layered_field), intent(inout) :: from, to
    call wherry_layered_field_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_layered_field(layered_field) result(exists)
    type(wherry_layered_field), intent(in) :: layered_field
    exists = c_associated(layered_field%c_handle)
  end function
  subroutine assign_layered_field(to, from)
    class(wherry_layered_field), intent(inout) :: to
    type(wherry_layered_field), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_layered_field', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_layered_field(layered_field)
    type(wherry_layered_field), intent(inout) :: layered_field
    integer(c_int) :: ignored
    if (.not. c_associated(layered_field%c_handle)) return
    ignored = c_layered_field_free(layered_field%c_handle)
    layered_field%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_arrivals_free(arrivals, ierror, errmsg)
    type(wherry_arrivals), intent(inout) :: arrivals
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_arrivals_free(arrivals%c_handle)
    if (status /= WHERRY_ERROR_STATE) arrivals%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_arrivals(from, to)
    type(wherry_arrivals), intent(inout) :: from, to
    call wherry_arrivals_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_arrivals(arrivals) result(exists)
    type(wherry_arrivals), intent(in) :: arrivals
    exists = c_associated(arrivals%c_handle)
  end function
  subroutine assign_arrivals(to, from)
    class(wherry_arrivals), intent(inout) :: to
    type(wherry_arrivals), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_arrivals', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_arrivals(arrivals)
    type(wherry_arrivals), intent(inout) :: arrivals
    integer(c_int) :: ignored
    if (.not. c_associated(arrivals%c_handle)) return
    ignored = c_arrivals_free(arrivals%c_handle)
    arrivals%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_arriving_free(arriving, ierror, errmsg)
    type(wherry_arriving), intent(inout) :: arriving
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_arriving_free(arriving%c_handle)
    if (status /= WHERRY_ERROR_STATE) arriving%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_arriving(from, to)
    type(wherry_arriving), intent(inout) :: from, to
    call wherry_arriving_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_arriving(arriving) result(exists)
    type(wherry_arriving), intent(in) :: arriving
    exists = c_associated(arriving%c_handle)
  end function
  subroutine assign_arriving(to, from)
    class(wherry_arriving), intent(inout) :: to
    type(wherry_arriving), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_arriving', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_arriving(arriving)
    type(wherry_arriving), intent(inout) :: arriving
    integer(c_int) :: ignored
    if (.not. c_associated(arriving%c_handle)) return
    ignored = c_arriving_free(arriving%c_handle)
    arriving%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_sparse_plan_free(sparse_plan, ierror, errmsg)
    type(wherry_sparse_plan), intent(inout) :: sparse_plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_sparse_plan_free(sparse_plan%c_handle)
    if (status /= WHERRY_ERROR_STATE) sparse_plan%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_sparse_plan(from, to)
    type(wherry_sparse_plan), intent(inout) :: from, to
    call wherry_sparse_plan_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_sparse_plan(sparse_plan) result(exists)
    type(wherry_sparse_plan), intent(in) :: sparse_plan
    exists = c_associated(sparse_plan%c_handle)
  end function
  subroutine assign_sparse_plan(to, from)
    class(wherry_sparse_plan), intent(inout) :: to
    type(wherry_sparse_plan), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_sparse_plan', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_sparse_plan(sparse_plan)
    type(wherry_sparse_plan), intent(inout) :: sparse_plan
    integer(c_int) :: ignored
    if (.not. c_associated(sparse_plan%c_handle)) return
    ignored = c_sparse_plan_free(sparse_plan%c_handle)
    sparse_plan%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_particle_exchange_free(particle_exchange, ierror, errmsg)
    type(wherry_particle_exchange), intent(inout) :: particle_exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_particle_exchange_free(particle_exchange%c_handle)
    if (status /= WHERRY_ERROR_STATE) particle_exchange%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_particle_exchange(from, to)
    type(wherry_particle_exchange), intent(inout) :: from, to
    call wherry_particle_exchange_free(to)
    to%c_handle = from%c_handle
    to%dimensions = from%dimensions
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_particle_exchange(particle_exchange) result(exists)
    type(wherry_particle_exchange), intent(in) :: particle_exchange
    exists = c_associated(particle_exchange%c_handle)
  end function
  subroutine assign_particle_exchange(to, from)
    class(wherry_particle_exchange), intent(inout) :: to
    type(wherry_particle_exchange), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_particle_exchange', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_particle_exchange(particle_exchange)
    type(wherry_particle_exchange), intent(inout) :: particle_exchange
    integer(c_int) :: ignored
    if (.not. c_associated(particle_exchange%c_handle)) return
    ignored = c_particle_exchange_free(particle_exchange%c_handle)
    particle_exchange%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_ghost_particles_free(ghost_particles, ierror, errmsg)
    type(wherry_ghost_particles), intent(inout) :: ghost_particles
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_ghost_particles_free(ghost_particles%c_handle)
    if (status /= WHERRY_ERROR_STATE) ghost_particles%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_ghost_particles(from, to)
    type(wherry_ghost_particles), intent(inout) :: from, to
    call wherry_ghost_particles_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_ghost_particles(ghost_particles) result(exists)
    type(wherry_ghost_particles), intent(in) :: ghost_particles
    exists = c_associated(ghost_particles%c_handle)
  end function
  subroutine assign_ghost_particles(to, from)
    class(wherry_ghost_particles), intent(inout) :: to
    type(wherry_ghost_particles), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_ghost_particles', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_ghost_particles(ghost_particles)
    type(wherry_ghost_particles), intent(inout) :: ghost_particles
    integer(c_int) :: ignored
    if (.not. c_associated(ghost_particles%c_handle)) return
    ignored = c_ghost_particles_free(ghost_particles%c_handle)
    ghost_particles%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_floor_plan_free(floor_plan, ierror, errmsg)
    type(wherry_floor_plan), intent(inout) :: floor_plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_floor_plan_free(floor_plan%c_handle)
    if (status /= WHERRY_ERROR_STATE) floor_plan%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_floor_plan(from, to)
    type(wherry_floor_plan), intent(inout) :: from, to
    call wherry_floor_plan_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_floor_plan(floor_plan) result(exists)
    type(wherry_floor_plan), intent(in) :: floor_plan
    exists = c_associated(floor_plan%c_handle)
  end function
  subroutine assign_floor_plan(to, from)
    class(wherry_floor_plan), intent(inout) :: to
    type(wherry_floor_plan), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_floor_plan', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_floor_plan(floor_plan)
    type(wherry_floor_plan), intent(inout) :: floor_plan
    integer(c_int) :: ignored
    if (.not. c_associated(floor_plan%c_handle)) return
    ignored = c_floor_plan_free(floor_plan%c_handle)
    floor_plan%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_x_array_free(x_array, ierror, errmsg)
    type(wherry_x_array), intent(inout) :: x_array
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_x_array_free(x_array%c_handle)
    if (status /= WHERRY_ERROR_STATE) x_array%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_x_array(from, to)
    type(wherry_x_array), intent(inout) :: from, to
    call wherry_x_array_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_x_array(x_array) result(exists)
    type(wherry_x_array), intent(in) :: x_array
    exists = c_associated(x_array%c_handle)
  end function
  subroutine assign_x_array(to, from)
    class(wherry_x_array), intent(inout) :: to
    type(wherry_x_array), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_x_array', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_x_array(x_array)
    type(wherry_x_array), intent(inout) :: x_array
    integer(c_int) :: ignored
    if (.not. c_associated(x_array%c_handle)) return
    ignored = c_x_array_free(x_array%c_handle)
    x_array%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_motion_plan_free(motion_plan, ierror, errmsg)
    type(wherry_motion_plan), intent(inout) :: motion_plan
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_motion_plan_free(motion_plan%c_handle)
    if (status /= WHERRY_ERROR_STATE) motion_plan%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_motion_plan(from, to)
    type(wherry_motion_plan), intent(inout) :: from, to
    call wherry_motion_plan_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_motion_plan(motion_plan) result(exists)
    type(wherry_motion_plan), intent(in) :: motion_plan
    exists = c_associated(motion_plan%c_handle)
  end function
  subroutine assign_motion_plan(to, from)
    class(wherry_motion_plan), intent(inout) :: to
    type(wherry_motion_plan), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_motion_plan', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_motion_plan(motion_plan)
    type(wherry_motion_plan), intent(inout) :: motion_plan
    integer(c_int) :: ignored
    if (.not. c_associated(motion_plan%c_handle)) return
    ignored = c_motion_plan_free(motion_plan%c_handle)
    motion_plan%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_level_coupling_free(level_coupling, ierror, errmsg)
    type(wherry_level_coupling), intent(inout) :: level_coupling
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_level_coupling_free(level_coupling%c_handle)
    if (status /= WHERRY_ERROR_STATE) level_coupling%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_level_coupling(from, to)
    type(wherry_level_coupling), intent(inout) :: from, to
    call wherry_level_coupling_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_level_coupling(level_coupling) result(exists)
    type(wherry_level_coupling), intent(in) :: level_coupling
    exists = c_associated(level_coupling%c_handle)
  end function
  subroutine assign_level_coupling(to, from)
    class(wherry_level_coupling), intent(inout) :: to
    type(wherry_level_coupling), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_level_coupling', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_level_coupling(level_coupling)
    type(wherry_level_coupling), intent(inout) :: level_coupling
    integer(c_int) :: ignored
    if (.not. c_associated(level_coupling%c_handle)) return
    ignored = c_level_coupling_free(level_coupling%c_handle)
    level_coupling%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_array_series_free(array_series, ierror, errmsg)
    type(wherry_array_series), intent(inout) :: array_series
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_array_series_free(array_series%c_handle)
    if (status /= WHERRY_ERROR_STATE) array_series%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_array_series(from, to)
    type(wherry_array_series), intent(inout) :: from, to
    call wherry_array_series_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_array_series(array_series) result(exists)
    type(wherry_array_series), intent(in) :: array_series
    exists = c_associated(array_series%c_handle)
  end function
  subroutine assign_array_series(to, from)
    class(wherry_array_series), intent(inout) :: to
    type(wherry_array_series), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_array_series', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_array_series(array_series)
    type(wherry_array_series), intent(inout) :: array_series
    integer(c_int) :: ignored
    if (.not. c_associated(array_series%c_handle)) return
    ignored = c_array_series_free(array_series%c_handle)
    array_series%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_array_writer_free(array_writer, ierror, errmsg)
    type(wherry_array_writer), intent(inout) :: array_writer
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_array_writer_free(array_writer%c_handle)
    if (status /= WHERRY_ERROR_STATE) array_writer%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_array_writer(from, to)
    type(wherry_array_writer), intent(inout) :: from, to
    call wherry_array_writer_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_array_writer(array_writer) result(exists)
    type(wherry_array_writer), intent(in) :: array_writer
    exists = c_associated(array_writer%c_handle)
  end function
  subroutine assign_array_writer(to, from)
    class(wherry_array_writer), intent(inout) :: to
    type(wherry_array_writer), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_array_writer', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_array_writer(array_writer)
    type(wherry_array_writer), intent(inout) :: array_writer
    integer(c_int) :: ignored
    if (.not. c_associated(array_writer%c_handle)) return
    ignored = c_array_writer_free(array_writer%c_handle)
    array_writer%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_segment_free(segment, ierror, errmsg)
    type(wherry_segment), intent(inout) :: segment
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_free(segment%c_handle)
    if (status /= WHERRY_ERROR_STATE) segment%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_segment(from, to)
    type(wherry_segment), intent(inout) :: from, to
    call wherry_segment_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_segment(segment) result(exists)
    type(wherry_segment), intent(in) :: segment
    exists = c_associated(segment%c_handle)
  end function
  subroutine assign_segment(to, from)
    class(wherry_segment), intent(inout) :: to
    type(wherry_segment), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_segment', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_segment(segment)
    type(wherry_segment), intent(inout) :: segment
    integer(c_int) :: ignored
    if (.not. c_associated(segment%c_handle)) return
    ignored = c_segment_free(segment%c_handle)
    segment%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_segment_queue_free(segment_queue, ierror, errmsg)
    type(wherry_segment_queue), intent(inout) :: segment_queue
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_segment_queue_free(segment_queue%c_handle)
    if (status /= WHERRY_ERROR_STATE) segment_queue%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_segment_queue(from, to)
    type(wherry_segment_queue), intent(inout) :: from, to
    call wherry_segment_queue_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_segment_queue(segment_queue) result(exists)
    type(wherry_segment_queue), intent(in) :: segment_queue
    exists = c_associated(segment_queue%c_handle)
  end function
  subroutine assign_segment_queue(to, from)
    class(wherry_segment_queue), intent(inout) :: to
    type(wherry_segment_queue), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_segment_queue', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_segment_queue(segment_queue)
    type(wherry_segment_queue), intent(inout) :: segment_queue
    integer(c_int) :: ignored
    if (.not. c_associated(segment_queue%c_handle)) return
    ignored = c_segment_queue_free(segment_queue%c_handle)
    segment_queue%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_published_layouts_free(published_layouts, ierror, errmsg)
    type(wherry_published_layouts), intent(inout) :: published_layouts
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_published_layouts_free(published_layouts%c_handle)
    if (status /= WHERRY_ERROR_STATE) published_layouts%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_published_layouts(from, to)
    type(wherry_published_layouts), intent(inout) :: from, to
    call wherry_published_layouts_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_published_layouts(published_layouts) result(exists)
    type(wherry_published_layouts), intent(in) :: published_layouts
    exists = c_associated(published_layouts%c_handle)
  end function
  subroutine assign_published_layouts(to, from)
    class(wherry_published_layouts), intent(inout) :: to
    type(wherry_published_layouts), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_published_layouts', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_published_layouts(published_layouts)
    type(wherry_published_layouts), intent(inout) :: published_layouts
    integer(c_int) :: ignored
    if (.not. c_associated(published_layouts%c_handle)) return
    ignored = c_published_layouts_free(published_layouts%c_handle)
    published_layouts%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_passive_messages_free(passive_messages, ierror, errmsg)
    type(wherry_passive_messages), intent(inout) :: passive_messages
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_passive_messages_free(passive_messages%c_handle)
    if (status /= WHERRY_ERROR_STATE) passive_messages%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_passive_messages(from, to)
    type(wherry_passive_messages), intent(inout) :: from, to
    call wherry_passive_messages_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_passive_messages(passive_messages) result(exists)
    type(wherry_passive_messages), intent(in) :: passive_messages
    exists = c_associated(passive_messages%c_handle)
  end function
  subroutine assign_passive_messages(to, from)
    class(wherry_passive_messages), intent(inout) :: to
    type(wherry_passive_messages), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_passive_messages', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_passive_messages(passive_messages)
    type(wherry_passive_messages), intent(inout) :: passive_messages
    integer(c_int) :: ignored
    if (.not. c_associated(passive_messages%c_handle)) return
    ignored = c_passive_messages_free(passive_messages%c_handle)
    passive_messages%c_handle = c_null_ptr
  end subroutine

  !> Frees the object; a variable without one is left so. A function of the program's that Wherry has called cannot free: the
  !> variable keeps its object then. Local.
  subroutine wherry_rank_group_free(rank_group, ierror, errmsg)
    type(wherry_rank_group), intent(inout) :: rank_group
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_rank_group_free(rank_group%c_handle)
    if (status /= WHERRY_ERROR_STATE) rank_group%c_handle = c_null_ptr
    call settle(status, ierror, errmsg)
  end subroutine
  subroutine move_rank_group(from, to)
    type(wherry_rank_group), intent(inout) :: from, to
    call wherry_rank_group_free(to)
    to%c_handle = from%c_handle
    from%c_handle = c_null_ptr
  end subroutine
  logical function exists_rank_group(rank_group) result(exists)
    type(wherry_rank_group), intent(in) :: rank_group
    exists = c_associated(rank_group%c_handle)
  end function
  subroutine assign_rank_group(to, from)
    class(wherry_rank_group), intent(inout) :: to
    type(wherry_rank_group), intent(in) :: from
    if (c_associated(to%c_handle) .or. c_associated(from%c_handle)) &
      call stop_with('wherry_rank_group', 'an object belongs to one variable and cannot be assigned; wherry_move moves it')
  end subroutine
  impure elemental subroutine end_rank_group(rank_group)
    type(wherry_rank_group), intent(inout) :: rank_group
    integer(c_int) :: ignored
    if (.not. c_associated(rank_group%c_handle)) return
    ignored = c_rank_group_free(rank_group%c_handle)
    rank_group%c_handle = c_null_ptr
  end subroutine

end module
