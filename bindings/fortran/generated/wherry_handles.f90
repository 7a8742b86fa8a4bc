! Written by generate.py; changes belong there.
!> Handles: variables that own an object of Wherry's.
module wherry_handles
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_null_ptr, c_ptr
  use wherry_errors, only: settle, stop_with
  implicit none
  private
  public :: wherry_move, wherry_exists
  public :: wherry_communicator_free, wherry_process_grid_free, wherry_exchange_free

  !> Stands for a communicator.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_communicator
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_communicator
    generic :: assignment(=) => assign_communicator
    final :: end_communicator
  end type
  interface
    function c_communicator_free(handle) bind(c, name='wherry_communicator_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int) :: status
    end function
  end interface

  !> Stands for a process grid.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_process_grid
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_process_grid
    generic :: assignment(=) => assign_process_grid
    final :: end_process_grid
  end type
  interface
    function c_process_grid_free(handle) bind(c, name='wherry_process_grid_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int) :: status
    end function
  end interface

  !> Stands for an exchange, which was planned once and runs any number of times.
  !> It begins as no object, and frees its object when it ends.
  type, public :: wherry_exchange
    type(c_ptr) :: c_handle = c_null_ptr !< the handle in C's interface; c_null_ptr: no object
  contains
    procedure, private :: assign_exchange
    generic :: assignment(=) => assign_exchange
    final :: end_exchange
  end type
  interface
    function c_exchange_free(handle) bind(c, name='wherry_exchange_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int) :: status
    end function
  end interface

  !> wherry_move(from, to): gives the object to another variable, which frees what it had.
  interface wherry_move
    module procedure move_communicator, move_process_grid, move_exchange
  end interface
  !> wherry_exists(handle): whether the variable has an object.
  interface wherry_exists
    module procedure exists_communicator, exists_process_grid, exists_exchange
  end interface

contains

  !> Frees the object; a variable without one is left so. Local.
  subroutine wherry_communicator_free(communicator, ierror, errmsg)
    type(wherry_communicator), intent(inout) :: communicator
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_communicator_free(communicator%c_handle)
    communicator%c_handle = c_null_ptr
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

  !> Frees the object; a variable without one is left so. Local.
  subroutine wherry_process_grid_free(process_grid, ierror, errmsg)
    type(wherry_process_grid), intent(inout) :: process_grid
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_process_grid_free(process_grid%c_handle)
    process_grid%c_handle = c_null_ptr
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

  !> Frees the object; a variable without one is left so. Local.
  subroutine wherry_exchange_free(exchange, ierror, errmsg)
    type(wherry_exchange), intent(inout) :: exchange
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = c_exchange_free(exchange%c_handle)
    exchange%c_handle = c_null_ptr
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

end module
