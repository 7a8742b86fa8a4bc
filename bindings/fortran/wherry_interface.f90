!> The functions and structures of the C interface, as they stand in the headers in wherry/c. Programs use the module `wherry`.
module wherry_interface
  use, intrinsic :: iso_c_binding
  implicit none
  public

  type, bind(c) :: c_wherry_view
    type(c_ptr) :: data = c_null_ptr
    integer(c_int) :: dimensions = 0, components = 0
    integer(c_int32_t) :: type = 0
    integer(c_int) :: space = 0
    integer(c_int64_t) :: extents(7) = 0, strides(7) = 0
  end type

  type, bind(c) :: c_wherry_box
    integer(c_int) :: dimensions = 0
    integer(c_int64_t) :: lower(7) = 0, upper(7) = 0
  end type

  type, bind(c) :: c_wherry_error
    integer(c_int) :: status
    type(c_ptr) :: text
    integer(c_int) :: rank, peer_count
    type(c_ptr) :: peers
  end type

  type, bind(c) :: c_wherry_carry_options
    type(c_ptr) :: transport = c_null_ptr
    integer(c_int) :: snapshot = 0, progress_thread = 0, free_buffers = 0
    integer(c_int64_t) :: packet_bytes = 0
    integer(c_int) :: threads = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_reduction
    integer(c_int) :: operation = 0
    type(c_funptr) :: function = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: type = 0
  end type

  type, bind(c) :: c_wherry_process_grid_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: periodic = c_null_ptr, extents = c_null_ptr
    integer(c_int) :: order = 0
  end type

  type, bind(c) :: c_wherry_halo_descriptor
    integer(c_int64_t) :: minus = 0, plus = 0, begin = 0, end = 0, length = 0
  end type

  type, bind(c) :: c_wherry_field
    type(c_wherry_view) :: array
    type(c_wherry_halo_descriptor) :: halo(4)
    integer(c_int) :: on_planes(4) = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_halo_part
    type(c_wherry_box) :: cells
    integer(c_int) :: subdomain = 0
  end type

  type, bind(c) :: c_wherry_halo_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: axes = c_null_ptr
    integer(c_int) :: stencil = 0
    type(c_ptr) :: directions = c_null_ptr
    integer(c_int) :: direction_count = 0, order = 0, reverse = 0
    type(c_wherry_reduction) :: update, combine_copies
    type(c_ptr) :: parts = c_null_ptr
    integer(c_int) :: part_count = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_statistics
    integer(c_int64_t) :: exchanges = 0, bytes_sent = 0, bytes_received = 0, bytes_copied = 0
    real(c_double) :: seconds_waiting = 0
  end type

  interface
    function c_strlen(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function

    function c_last_error() bind(c, name='wherry_last_error') result(error)
      import
      type(c_ptr) :: error
    end function
    function c_status_name(status) bind(c, name='wherry_status_name') result(text)
      import
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function
    subroutine c_require(status) bind(c, name='wherry_require')
      import
      integer(c_int), value :: status
    end subroutine
    function c_refuse(where, text) bind(c, name='wherry_refuse') result(status)
      import
      character(kind=c_char), intent(in) :: where(*), text(*)
      integer(c_int) :: status
    end function
    subroutine c_refuse_next(text) bind(c, name='wherry_refuse_next')
      import
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
    subroutine c_version(major, minor, patch) bind(c, name='wherry_version')
      import
      integer(c_int), intent(out) :: major, minor, patch
    end subroutine

    function c_communicator_create(users, result) bind(c, name='wherry_communicator_create_from_fortran') result(status)
      import
      integer, value :: users ! MPI_Fint is the default integer
      type(c_ptr), intent(out) :: result
      integer(c_int) :: status
    end function
    function c_communicator_rank(comm, rank, size) bind(c, name='wherry_communicator_rank') result(status)
      import
      type(c_ptr), value :: comm
      integer(c_int), intent(out) :: rank, size
      integer(c_int) :: status
    end function
    function c_communicator_node(comm, ranks, count) bind(c, name='wherry_communicator_node') result(status)
      import
      type(c_ptr), value :: comm
      type(c_ptr), intent(out) :: ranks
      integer(c_int), intent(out) :: count
      integer(c_int) :: status
    end function
    function c_allocate(comm, bytes, memory) bind(c, name='wherry_allocate') result(status)
      import
      type(c_ptr), value :: comm
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: memory
      integer(c_int) :: status
    end function
    function c_free(memory) bind(c, name='wherry_free') result(status)
      import
      type(c_ptr), intent(inout) :: memory
      integer(c_int) :: status
    end function

    function c_process_grid_create(comm, dimensions, options, result) bind(c, name='wherry_process_grid_create') &
      result(status)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: dimensions
      type(c_wherry_process_grid_options), intent(in) :: options
      type(c_ptr), intent(out) :: result
      integer(c_int) :: status
    end function
    function c_process_grid_dimensions(grid, dimensions) bind(c, name='wherry_process_grid_dimensions') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), intent(out) :: dimensions
      integer(c_int) :: status
    end function
    function c_process_grid_shape(grid, extents, periodic) bind(c, name='wherry_process_grid_shape') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), intent(inout) :: extents(4), periodic(4)
      integer(c_int) :: status
    end function
    function c_process_grid_coordinates(grid, rank, coordinates) bind(c, name='wherry_process_grid_coordinates') &
      result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: rank
      integer(c_int), intent(inout) :: coordinates(4)
      integer(c_int) :: status
    end function
    function c_process_grid_rank_at(grid, coordinates, rank) bind(c, name='wherry_process_grid_rank_at') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), intent(in) :: coordinates(4)
      integer(c_int), intent(out) :: rank
      integer(c_int) :: status
    end function
    function c_owned_box(grid, dimensions, cells, axes, result) bind(c, name='wherry_owned_box') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: dimensions
      integer(c_int64_t), intent(in) :: cells(*)
      type(c_ptr), value :: axes
      type(c_wherry_box), intent(inout) :: result
      integer(c_int) :: status
    end function
    function c_owner_of(grid, dimensions, cell, cells, rank) bind(c, name='wherry_owner_of') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: dimensions
      integer(c_int64_t), intent(in) :: cell(*), cells(*)
      integer(c_int), intent(out) :: rank
      integer(c_int) :: status
    end function

    function c_halo_exchange_create(grid, field_count, fields, options, result) &
      bind(c, name='wherry_halo_exchange_create') result(status)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: field_count
      type(c_wherry_field), intent(in) :: fields(*)
      type(c_wherry_halo_options), intent(in) :: options
      type(c_ptr), intent(out) :: result
      integer(c_int) :: status
    end function
    function c_halo_exchange_only(exchange, field_count, fields, depth, result) &
      bind(c, name='wherry_halo_exchange_only') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: field_count
      integer(c_int), intent(in) :: fields(*)
      integer(c_int64_t), value :: depth
      type(c_ptr), intent(out) :: result
      integer(c_int) :: status
    end function

    function c_exchange_start(exchange) bind(c, name='wherry_exchange_start') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status
    end function
    function c_exchange_start_with(exchange, count, arrays) bind(c, name='wherry_exchange_start_with') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), intent(in) :: arrays(*)
      integer(c_int) :: status
    end function
    function c_exchange_test(exchange, done) bind(c, name='wherry_exchange_test') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int), intent(out) :: done
      integer(c_int) :: status
    end function
    function c_exchange_wait(exchange) bind(c, name='wherry_exchange_wait') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status
    end function
    function c_exchange_run(exchange) bind(c, name='wherry_exchange_run') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status
    end function
    function c_exchange_wait_some(exchange, ranks, count) bind(c, name='wherry_exchange_wait_some') result(status)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(out) :: ranks
      integer(c_int), intent(out) :: count
      integer(c_int) :: status
    end function
    function c_exchange_abandon(exchange) bind(c, name='wherry_exchange_abandon') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status
    end function
    function c_exchange_start_in_parts(exchange) bind(c, name='wherry_exchange_start_in_parts') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status
    end function
    function c_exchange_ready(exchange, part) bind(c, name='wherry_exchange_ready') result(status)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: part
      integer(c_int) :: status
    end function
    function c_exchange_statistics(exchange, result) bind(c, name='wherry_exchange_statistics') result(status)
      import
      type(c_ptr), value :: exchange
      type(c_wherry_statistics), intent(inout) :: result
      integer(c_int) :: status
    end function
    function c_exchange_explain(exchange, text) bind(c, name='wherry_exchange_explain') result(status)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function
    function c_exchange_to_json(exchange, text) bind(c, name='wherry_exchange_to_json') result(status)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function
    function c_exchange_transport(exchange, text) bind(c, name='wherry_exchange_transport') result(status)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function
  end interface
end module
