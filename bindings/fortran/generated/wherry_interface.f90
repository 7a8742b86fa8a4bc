! Written by generate.py; changes belong there.
!> The functions and structures of the C interface, by the names that they have there, with c_ in front of structures and
!> in place of wherry_ in front of functions. docs/fortran.md says when a program uses this module.
module wherry_interface
  use, intrinsic :: iso_c_binding
  implicit none
  public

  type, bind(c) :: c_wherry_view
    type(c_ptr) :: data = c_null_ptr
    integer(c_int) :: dimensions = 0
    integer(c_int) :: components = 0
    integer(c_int32_t) :: type = 0
    integer(c_int) :: space = 0
    integer(c_int64_t) :: extents(7) = 0
    integer(c_int64_t) :: strides(7) = 0
  end type

  type, bind(c) :: c_wherry_box
    integer(c_int) :: dimensions = 0
    integer(c_int64_t) :: lower(7) = 0
    integer(c_int64_t) :: upper(7) = 0
  end type

  type, bind(c) :: c_wherry_statistics
    integer(c_int64_t) :: exchanges = 0
    integer(c_int64_t) :: bytes_sent = 0
    integer(c_int64_t) :: bytes_received = 0
    integer(c_int64_t) :: bytes_copied = 0
    real(c_double) :: seconds_waiting = 0
  end type

  type, bind(c) :: c_wherry_process_grid_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: periodic = c_null_ptr
    type(c_ptr) :: extents = c_null_ptr
    integer(c_int) :: order = 0
  end type

  type, bind(c) :: c_wherry_halo_descriptor
    integer(c_int64_t) :: minus = 0
    integer(c_int64_t) :: plus = 0
    integer(c_int64_t) :: begin = 0
    integer(c_int64_t) :: end = 0
    integer(c_int64_t) :: length = 0
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

  type, bind(c) :: c_wherry_reduction
    integer(c_int) :: operation = 0
    type(c_funptr) :: function = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: type = 0
  end type

  type, bind(c) :: c_wherry_carry_options
    type(c_ptr) :: transport = c_null_ptr
    integer(c_int) :: snapshot = 0
    integer(c_int) :: progress_thread = 0
    integer(c_int) :: free_buffers = 0
    integer(c_int64_t) :: packet_bytes = 0
    integer(c_int) :: threads = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_halo_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: axes = c_null_ptr
    integer(c_int) :: stencil = 0
    type(c_ptr) :: directions = c_null_ptr
    integer(c_int) :: direction_count = 0
    integer(c_int) :: order = 0
    integer(c_int) :: reverse = 0
    type(c_wherry_reduction) :: update
    type(c_wherry_reduction) :: combine_copies
    type(c_ptr) :: parts = c_null_ptr
    integer(c_int) :: part_count = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_peer_indices
    integer(c_int) :: peer = 0
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: at = c_null_ptr
  end type

  type, bind(c) :: c_wherry_ghost
    integer(c_int) :: owner = 0
    integer(c_int64_t) :: index_there = 0
    integer(c_int64_t) :: index_here = 0
  end type

  type, bind(c) :: c_wherry_integers
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: count = 0
    integer(c_int32_t) :: type = 0
  end type

  type, bind(c) :: c_wherry_flat_lists
    type(c_wherry_integers) :: neighbors
    type(c_wherry_integers) :: send_lengths
    type(c_wherry_integers) :: sent
    type(c_wherry_integers) :: receive_lengths
    type(c_wherry_integers) :: received
    integer(c_int64_t) :: first_external = 0
  end type

  type, bind(c) :: c_wherry_index_part
    integer(c_int64_t) :: begin = 0
    integer(c_int64_t) :: end = 0
  end type

  type, bind(c) :: c_wherry_index_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: reverse = 0
    type(c_wherry_reduction) :: update
    type(c_wherry_reduction) :: combine_copies
    type(c_ptr) :: parts = c_null_ptr
    integer(c_int) :: part_count = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_layer_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_reduction) :: update
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_particle_space
    integer(c_int) :: dimensions = 0
    real(c_double) :: lower(3) = 0
    real(c_double) :: upper(3) = 0
    real(c_double) :: edges(3, 3) = 0
    type(c_funptr) :: fractions = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
  end type

  type, bind(c) :: c_wherry_particle_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: order = 0
    integer(c_int) :: neighbors_only = 0
    type(c_ptr) :: algorithm = c_null_ptr
  end type

  type, bind(c) :: c_wherry_particle_array
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: count = 0
    integer(c_int64_t) :: capacity = 0
    integer(c_int32_t) :: type = 0
    integer(c_int) :: components = 0
    integer(c_int) :: role = 0
    type(c_funptr) :: grow = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
    integer(c_size_t) :: member_offset = 0
    integer(c_int32_t) :: member_type = 0
    integer(c_int) :: member_components = 0
  end type

  type, bind(c) :: c_wherry_positions
    integer(c_int) :: in_structures = 0
    integer(c_int32_t) :: type = 0
    integer(c_size_t) :: offsets(3) = 0
  end type

  type, bind(c) :: c_wherry_particle_choice
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: by = 0
    type(c_wherry_positions) :: positions
    type(c_ptr) :: owners = c_null_ptr
    type(c_funptr) :: owner_of = c_null_funptr
    type(c_ptr) :: cells = c_null_ptr
    type(c_funptr) :: cell_of = c_null_funptr
    integer(c_int64_t) :: list_count = 0
    type(c_ptr) :: context = c_null_ptr
    type(c_wherry_integers) :: leavers
  end type

  type, bind(c) :: c_wherry_particle_move
    integer(c_int64_t) :: left = 0
    integer(c_int64_t) :: arrived = 0
    integer(c_int64_t) :: count = 0
  end type

  type, bind(c) :: c_wherry_ghost_particle_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_sparse_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: algorithm = c_null_ptr
    integer(c_int) :: knows_sources = 0
    type(c_ptr) :: receive_from = c_null_ptr
    integer(c_int) :: receive_from_count = 0
    integer(c_int64_t) :: limit_bytes = 0
  end type

  type, bind(c) :: c_wherry_parcel
    integer(c_int) :: to = 0
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: elements = c_null_ptr
  end type

  type, bind(c) :: c_wherry_sparse_plan_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_error
    integer(c_int) :: status = 0
    type(c_ptr) :: text = c_null_ptr
    integer(c_int) :: rank = 0
    integer(c_int) :: peer_count = 0
    type(c_ptr) :: peers = c_null_ptr
  end type

  interface
    function c_strlen(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
    function c_c_array(data, type, dimensions, extents) &
      bind(c, name='wherry_c_array') result(status_)
      import
      type(c_ptr), value :: data
      integer(c_int32_t), value :: type
      integer(c_int), value :: dimensions
      type(c_ptr), value :: extents
      type(c_wherry_view) :: status_
    end function
    function c_fortran_array(data, type, dimensions, extents) &
      bind(c, name='wherry_fortran_array') result(status_)
      import
      type(c_ptr), value :: data
      integer(c_int32_t), value :: type
      integer(c_int), value :: dimensions
      type(c_ptr), value :: extents
      type(c_wherry_view) :: status_
    end function
    function c_communicator_create_from_fortran(users, result) &
      bind(c, name='wherry_communicator_create_from_fortran') result(status_)
      import
      integer, value :: users
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_communicator_free(comm) &
      bind(c, name='wherry_communicator_free') result(status_)
      import
      type(c_ptr), intent(inout) :: comm
      integer(c_int) :: status_
    end function
    function c_communicator_rank(comm, rank, size) &
      bind(c, name='wherry_communicator_rank') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), intent(inout) :: rank
      integer(c_int), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_communicator_node(comm, ranks, count) &
      bind(c, name='wherry_communicator_node') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_allocate(comm, bytes, memory) &
      bind(c, name='wherry_allocate') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(inout) :: memory
      integer(c_int) :: status_
    end function
    function c_free(memory) &
      bind(c, name='wherry_free') result(status_)
      import
      type(c_ptr), intent(inout) :: memory
      integer(c_int) :: status_
    end function
    function c_exchange_free(exchange) &
      bind(c, name='wherry_exchange_free') result(status_)
      import
      type(c_ptr), intent(inout) :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_start(exchange) &
      bind(c, name='wherry_exchange_start') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_start_with(exchange, count, arrays) &
      bind(c, name='wherry_exchange_start_with') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
      integer(c_int) :: status_
    end function
    function c_exchange_test(exchange, done) &
      bind(c, name='wherry_exchange_test') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_exchange_wait(exchange) &
      bind(c, name='wherry_exchange_wait') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_run(exchange) &
      bind(c, name='wherry_exchange_run') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_wait_some(exchange, ranks, count) &
      bind(c, name='wherry_exchange_wait_some') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_exchange_abandon(exchange) &
      bind(c, name='wherry_exchange_abandon') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_start_in_parts(exchange) &
      bind(c, name='wherry_exchange_start_in_parts') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int) :: status_
    end function
    function c_exchange_ready(exchange, part) &
      bind(c, name='wherry_exchange_ready') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: part
      integer(c_int) :: status_
    end function
    function c_exchange_statistics(exchange, result) &
      bind(c, name='wherry_exchange_statistics') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_wherry_statistics), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_exchange_explain(exchange, text) &
      bind(c, name='wherry_exchange_explain') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_exchange_to_json(exchange, text) &
      bind(c, name='wherry_exchange_to_json') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_exchange_transport(exchange, text) &
      bind(c, name='wherry_exchange_transport') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_process_grid_create(comm, dimensions, options, result) &
      bind(c, name='wherry_process_grid_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: dimensions
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_process_grid_free(grid) &
      bind(c, name='wherry_process_grid_free') result(status_)
      import
      type(c_ptr), intent(inout) :: grid
      integer(c_int) :: status_
    end function
    function c_process_grid_dimensions(grid, dimensions) &
      bind(c, name='wherry_process_grid_dimensions') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), intent(inout) :: dimensions
      integer(c_int) :: status_
    end function
    function c_process_grid_shape(grid, extents, periodic) &
      bind(c, name='wherry_process_grid_shape') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), intent(inout) :: extents(*)
      integer(c_int), intent(inout) :: periodic(*)
      integer(c_int) :: status_
    end function
    function c_process_grid_coordinates(grid, rank, coordinates) &
      bind(c, name='wherry_process_grid_coordinates') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: rank
      integer(c_int), intent(inout) :: coordinates(*)
      integer(c_int) :: status_
    end function
    function c_process_grid_rank_at(grid, coordinates, rank) &
      bind(c, name='wherry_process_grid_rank_at') result(status_)
      import
      type(c_ptr), value :: grid
      type(c_ptr), value :: coordinates
      integer(c_int), intent(inout) :: rank
      integer(c_int) :: status_
    end function
    function c_owned_box(grid, dimensions, cells, axes, result) &
      bind(c, name='wherry_owned_box') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: dimensions
      type(c_ptr), value :: cells
      type(c_ptr), value :: axes
      type(c_wherry_box), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_owner_of(grid, dimensions, cell, cells, rank) &
      bind(c, name='wherry_owner_of') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: dimensions
      type(c_ptr), value :: cell
      type(c_ptr), value :: cells
      integer(c_int), intent(inout) :: rank
      integer(c_int) :: status_
    end function
    function c_field_inside(array, width) &
      bind(c, name='wherry_field_inside') result(status_)
      import
      type(c_wherry_view), value :: array
      integer(c_int64_t), value :: width
      type(c_wherry_field) :: status_
    end function
    function c_halo_exchange_create(grid, field_count, fields, options, result) &
      bind(c, name='wherry_halo_exchange_create') result(status_)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_halo_exchange_only(exchange, field_count, fields, depth, result) &
      bind(c, name='wherry_halo_exchange_only') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int64_t), value :: depth
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_lists_create(send_count, sends, receive_count, receives, result) &
      bind(c, name='wherry_index_lists_create') result(status_)
      import
      integer(c_int), value :: send_count
      type(c_ptr), value :: sends
      integer(c_int), value :: receive_count
      type(c_ptr), value :: receives
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_lists_create_from_ghosts(comm, count, ghosts, result) &
      bind(c, name='wherry_index_lists_create_from_ghosts') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int64_t), value :: count
      type(c_ptr), value :: ghosts
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_lists_create_from_ids(comm, rows, externals, result) &
      bind(c, name='wherry_index_lists_create_from_ids') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_wherry_integers), value :: rows
      type(c_wherry_integers), value :: externals
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_lists_create_from_flat(comm, flat, result) &
      bind(c, name='wherry_index_lists_create_from_flat') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: flat
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_lists_free(lists) &
      bind(c, name='wherry_index_lists_free') result(status_)
      import
      type(c_ptr), intent(inout) :: lists
      integer(c_int) :: status_
    end function
    function c_index_lists_sends(lists, sends, count) &
      bind(c, name='wherry_index_lists_sends') result(status_)
      import
      type(c_ptr), value :: lists
      type(c_ptr), intent(inout) :: sends
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_index_lists_receives(lists, receives, count) &
      bind(c, name='wherry_index_lists_receives') result(status_)
      import
      type(c_ptr), value :: lists
      type(c_ptr), intent(inout) :: receives
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_index_exchange_create(comm, lists, array_count, arrays, options, result) &
      bind(c, name='wherry_index_exchange_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: lists
      integer(c_int), value :: array_count
      type(c_ptr), value :: arrays
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_plan_create(comm, lists, array_count, arrays, options, result) &
      bind(c, name='wherry_index_plan_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: lists
      integer(c_int), value :: array_count
      type(c_ptr), value :: arrays
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_plan_bind(plan, array_count, arrays, result) &
      bind(c, name='wherry_index_plan_bind') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: array_count
      type(c_ptr), value :: arrays
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_plan_to_json(plan, text) &
      bind(c, name='wherry_index_plan_to_json') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_index_plan_free(plan) &
      bind(c, name='wherry_index_plan_free') result(status_)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status_
    end function
    function c_ghost_layers_create(comm, layer_count, layers, options, result) &
      bind(c, name='wherry_ghost_layers_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: layer_count
      type(c_ptr), value :: layers
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_layers_create_from_ids(comm, rows, layer_count, externals, options, result) &
      bind(c, name='wherry_ghost_layers_create_from_ids') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_wherry_integers), value :: rows
      integer(c_int), value :: layer_count
      type(c_ptr), value :: externals
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_layers_create_from_ghosts(comm, layer_count, counts, ghosts, options, result) &
      bind(c, name='wherry_ghost_layers_create_from_ghosts') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: layer_count
      type(c_ptr), value :: counts
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_layers_copy(layers, result) &
      bind(c, name='wherry_ghost_layers_copy') result(status_)
      import
      type(c_ptr), value :: layers
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_layers_free(layers) &
      bind(c, name='wherry_ghost_layers_free') result(status_)
      import
      type(c_ptr), intent(inout) :: layers
      integer(c_int) :: status_
    end function
    function c_ghost_layers_depth(layers, depth) &
      bind(c, name='wherry_ghost_layers_depth') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), intent(inout) :: depth
      integer(c_int) :: status_
    end function
    function c_ghost_layers_elements(layers, depth, elements) &
      bind(c, name='wherry_ghost_layers_elements') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int64_t), intent(inout) :: elements
      integer(c_int) :: status_
    end function
    function c_ghost_layers_lists(layers, layer, result) &
      bind(c, name='wherry_ghost_layers_lists') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: layer
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_layers_explain(layers, text) &
      bind(c, name='wherry_ghost_layers_explain') result(status_)
      import
      type(c_ptr), value :: layers
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_ghost_layers_statistics(layers, result) &
      bind(c, name='wherry_ghost_layers_statistics') result(status_)
      import
      type(c_ptr), value :: layers
      type(c_wherry_statistics), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_layered_field_create(layers, array, name, result) &
      bind(c, name='wherry_layered_field_create') result(status_)
      import
      type(c_ptr), value :: layers
      type(c_wherry_view), value :: array
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_layered_field_free(field) &
      bind(c, name='wherry_layered_field_free') result(status_)
      import
      type(c_ptr), intent(inout) :: field
      integer(c_int) :: status_
    end function
    function c_layered_field_mark_written(field, depth) &
      bind(c, name='wherry_layered_field_mark_written') result(status_)
      import
      type(c_ptr), value :: field
      integer(c_int), value :: depth
      integer(c_int) :: status_
    end function
    function c_layered_field_clean_depth(field, depth) &
      bind(c, name='wherry_layered_field_clean_depth') result(status_)
      import
      type(c_ptr), value :: field
      integer(c_int), intent(inout) :: depth
      integer(c_int) :: status_
    end function
    function c_layered_field_array(field, array) &
      bind(c, name='wherry_layered_field_array') result(status_)
      import
      type(c_ptr), value :: field
      type(c_wherry_view), intent(inout) :: array
      integer(c_int) :: status_
    end function
    function c_ghost_layers_start(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_start') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_start_if_needed(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_start_if_needed') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_start_reduce_to_owners(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_start_reduce_to_owners') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_test(layers, done) &
      bind(c, name='wherry_ghost_layers_test') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_ghost_layers_wait(layers) &
      bind(c, name='wherry_ghost_layers_wait') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int) :: status_
    end function
    function c_ghost_layers_abandon(layers) &
      bind(c, name='wherry_ghost_layers_abandon') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int) :: status_
    end function
    function c_ghost_layers_exchange(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_exchange') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_exchange_if_needed(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_exchange_if_needed') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_reduce_to_owners(layers, depth, field_count, fields) &
      bind(c, name='wherry_ghost_layers_reduce_to_owners') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      integer(c_int) :: status_
    end function
    function c_ghost_layers_start_arrays(layers, depth, array_count, arrays) &
      bind(c, name='wherry_ghost_layers_start_arrays') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: array_count
      type(c_ptr), value :: arrays
      integer(c_int) :: status_
    end function
    function c_ghost_layers_start_reduce_arrays(layers, depth, array_count, arrays) &
      bind(c, name='wherry_ghost_layers_start_reduce_arrays') result(status_)
      import
      type(c_ptr), value :: layers
      integer(c_int), value :: depth
      integer(c_int), value :: array_count
      type(c_ptr), value :: arrays
      integer(c_int) :: status_
    end function
    function c_particle_exchange_create(grid, cells, space, options, result) &
      bind(c, name='wherry_particle_exchange_create') result(status_)
      import
      type(c_ptr), value :: grid
      type(c_ptr), value :: cells
      type(c_ptr), value :: space
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_particle_exchange_create_by_owner(comm, options, result) &
      bind(c, name='wherry_particle_exchange_create_by_owner') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_particle_exchange_free(exchange) &
      bind(c, name='wherry_particle_exchange_free') result(status_)
      import
      type(c_ptr), intent(inout) :: exchange
      integer(c_int) :: status_
    end function
    function c_reallocate(data, bytes, context) &
      bind(c, name='wherry_reallocate') result(status_)
      import
      type(c_ptr), value :: data
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: context
      type(c_ptr) :: status_
    end function
    function c_particle_exchange_run(exchange, choice, array_count, arrays, result) &
      bind(c, name='wherry_particle_exchange_run') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), value :: choice
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      type(c_wherry_particle_move), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_particle_exchange_start(exchange, choice, array_count, arrays) &
      bind(c, name='wherry_particle_exchange_start') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), value :: choice
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_particle_exchange_test(exchange, done) &
      bind(c, name='wherry_particle_exchange_test') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_particle_exchange_wait(exchange, result) &
      bind(c, name='wherry_particle_exchange_wait') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_wherry_particle_move), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_particle_exchange_permutation(exchange, order, count) &
      bind(c, name='wherry_particle_exchange_permutation') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: order
      integer(c_int64_t), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_particle_exchange_neighbors(exchange, ranks, count) &
      bind(c, name='wherry_particle_exchange_neighbors') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_particle_exchange_owner_of(exchange, position, rank) &
      bind(c, name='wherry_particle_exchange_owner_of') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), value :: position
      integer(c_int), intent(inout) :: rank
      integer(c_int) :: status_
    end function
    function c_particle_exchange_cell_of(exchange, position, cell) &
      bind(c, name='wherry_particle_exchange_cell_of') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), value :: position
      integer(c_int64_t), intent(inout) :: cell(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_create(exchange, cutoff, options, result) &
      bind(c, name='wherry_ghost_particles_create') result(status_)
      import
      type(c_ptr), value :: exchange
      real(c_double), value :: cutoff
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_ghost_particles_free(ghosts) &
      bind(c, name='wherry_ghost_particles_free') result(status_)
      import
      type(c_ptr), intent(inout) :: ghosts
      integer(c_int) :: status_
    end function
    function c_ghost_particles_plan(ghosts, positions, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_plan') result(status_)
      import
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: positions
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_count(ghosts, owned, count) &
      bind(c, name='wherry_ghost_particles_count') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int64_t), intent(inout) :: owned
      integer(c_int64_t), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_ghost_particles_owner_of(ghosts, k, rank) &
      bind(c, name='wherry_ghost_particles_owner_of') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int64_t), value :: k
      integer(c_int), intent(inout) :: rank
      integer(c_int) :: status_
    end function
    function c_ghost_particles_fill(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_fill') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_fill_positions(ghosts, positions, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_fill_positions') result(status_)
      import
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: positions
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_sum_back(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_sum_back') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_fill(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_fill') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_fill_positions(ghosts, positions, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_fill_positions') result(status_)
      import
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: positions
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_sum_back(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_sum_back') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_test(ghosts, done) &
      bind(c, name='wherry_ghost_particles_test') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_ghost_particles_wait(ghosts) &
      bind(c, name='wherry_ghost_particles_wait') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int) :: status_
    end function
    function c_ghost_particles_resize(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_resize') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_drop(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_drop') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_sparse_algorithms(names, count) &
      bind(c, name='wherry_sparse_algorithms') result(status_)
      import
      type(c_ptr), intent(inout) :: names
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_send_to(comm, destinations, values, options, result) &
      bind(c, name='wherry_send_to') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: destinations
      type(c_wherry_view), value :: values
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_send_to_start(comm, destinations, values, options, result) &
      bind(c, name='wherry_send_to_start') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: destinations
      type(c_wherry_view), value :: values
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_sparse_exchange(comm, parcel_count, parcels, type, components, options, result) &
      bind(c, name='wherry_sparse_exchange') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: parcel_count
      type(c_ptr), value :: parcels
      integer(c_int32_t), value :: type
      integer(c_int), value :: components
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_sparse_exchange_start(comm, parcel_count, parcels, type, components, options, result) &
      bind(c, name='wherry_sparse_exchange_start') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: parcel_count
      type(c_ptr), value :: parcels
      integer(c_int32_t), value :: type
      integer(c_int), value :: components
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_arriving_test(arriving, done) &
      bind(c, name='wherry_arriving_test') result(status_)
      import
      type(c_ptr), value :: arriving
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_arriving_wait(arriving, result) &
      bind(c, name='wherry_arriving_wait') result(status_)
      import
      type(c_ptr), value :: arriving
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_arriving_algorithm(arriving, name) &
      bind(c, name='wherry_arriving_algorithm') result(status_)
      import
      type(c_ptr), value :: arriving
      type(c_ptr), intent(inout) :: name
      integer(c_int) :: status_
    end function
    function c_arriving_free(arriving) &
      bind(c, name='wherry_arriving_free') result(status_)
      import
      type(c_ptr), intent(inout) :: arriving
      integer(c_int) :: status_
    end function
    function c_arrivals_all(arrivals, all) &
      bind(c, name='wherry_arrivals_all') result(status_)
      import
      type(c_ptr), value :: arrivals
      type(c_wherry_view), intent(inout) :: all
      integer(c_int) :: status_
    end function
    function c_arrivals_from(arrivals, rank, elements) &
      bind(c, name='wherry_arrivals_from') result(status_)
      import
      type(c_ptr), value :: arrivals
      integer(c_int), value :: rank
      type(c_wherry_view), intent(inout) :: elements
      integer(c_int) :: status_
    end function
    function c_arrivals_sources(arrivals, ranks, count) &
      bind(c, name='wherry_arrivals_sources') result(status_)
      import
      type(c_ptr), value :: arrivals
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_arrivals_offsets(arrivals, offsets) &
      bind(c, name='wherry_arrivals_offsets') result(status_)
      import
      type(c_ptr), value :: arrivals
      type(c_ptr), intent(inout) :: offsets
      integer(c_int) :: status_
    end function
    function c_arrivals_source_of(arrivals, place, rank) &
      bind(c, name='wherry_arrivals_source_of') result(status_)
      import
      type(c_ptr), value :: arrivals
      integer(c_int64_t), value :: place
      integer(c_int), intent(inout) :: rank
      integer(c_int) :: status_
    end function
    function c_arrivals_free(arrivals) &
      bind(c, name='wherry_arrivals_free') result(status_)
      import
      type(c_ptr), intent(inout) :: arrivals
      integer(c_int) :: status_
    end function
    function c_sparse_plan_create(comm, count, destinations, options, result) &
      bind(c, name='wherry_sparse_plan_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int64_t), value :: count
      type(c_ptr), value :: destinations
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_sparse_plan_arriving(plan, count) &
      bind(c, name='wherry_sparse_plan_arriving') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_sparse_plan_sources(plan, ranks, count) &
      bind(c, name='wherry_sparse_plan_sources') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_sparse_plan_offsets(plan, offsets) &
      bind(c, name='wherry_sparse_plan_offsets') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: offsets
      integer(c_int) :: status_
    end function
    function c_sparse_plan_exchange(plan, values, arrived, options, result) &
      bind(c, name='wherry_sparse_plan_exchange') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_wherry_view), value :: values
      type(c_wherry_view), value :: arrived
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_sparse_plan_answer(plan, replies, answers, options, result) &
      bind(c, name='wherry_sparse_plan_answer') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_wherry_view), value :: replies
      type(c_wherry_view), value :: answers
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_sparse_plan_free(plan) &
      bind(c, name='wherry_sparse_plan_free') result(status_)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status_
    end function
    function c_last_error() &
      bind(c, name='wherry_last_error') result(status_)
      import
      type(c_ptr) :: status_
    end function
    function c_status_name(status) &
      bind(c, name='wherry_status_name') result(status_)
      import
      integer(c_int), value :: status
      type(c_ptr) :: status_
    end function
    subroutine c_require(status) &
      bind(c, name='wherry_require')
      import
      integer(c_int), value :: status
    end subroutine
    function c_refuse(where, text) &
      bind(c, name='wherry_refuse') result(status_)
      import
      character(kind=c_char), intent(in) :: where(*)
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: status_
    end function
    subroutine c_refuse_next(text) &
      bind(c, name='wherry_refuse_next')
      import
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
    subroutine c_version(major, minor, patch) &
      bind(c, name='wherry_version')
      import
      integer(c_int), intent(inout) :: major
      integer(c_int), intent(inout) :: minor
      integer(c_int), intent(inout) :: patch
    end subroutine
  end interface
end module
