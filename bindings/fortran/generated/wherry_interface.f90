! Written by generate.py; changes belong there.
!> The functions and structures of the C interface, by the names that they have there, with c_ in front of structures and
!> in place of wherry_ in front of functions. docs/fortran.md says when a program uses this module.
module wherry_interface
  use, intrinsic :: iso_c_binding
  implicit none
  public

  type, bind(c) :: c_wherry_array_file_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: type = c_null_ptr
    integer(c_int) :: snapshot = 0
    integer(c_int64_t) :: buffer_bytes = 0
    integer(c_int64_t) :: piece = 0
    type(c_ptr) :: hints = c_null_ptr
  end type

  type, bind(c) :: c_wherry_array_file_description
    integer(c_int) :: dimensions = 0
    integer(c_int) :: components = 0
    integer(c_int) :: boxes = 0
    integer(c_int64_t) :: element = 0
    integer(c_int64_t) :: bytes = 0
    character(kind=c_char) :: type(104) = c_null_char
  end type

  type, bind(c) :: c_wherry_array_series_entry
    type(c_ptr) :: name = c_null_ptr
    integer(c_int64_t) :: step = 0
    integer(c_int64_t) :: begin = 0
    integer(c_int64_t) :: bytes = 0
  end type

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

  type, bind(c) :: c_wherry_domain
    type(c_wherry_box) :: cells
    integer(c_int) :: periodic(7) = 0
  end type

  type, bind(c) :: c_wherry_widths
    integer(c_int64_t) :: minus(7) = 0
    integer(c_int64_t) :: plus(7) = 0
  end type

  type, bind(c) :: c_wherry_implementation
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: what = c_null_ptr
    integer(c_int) :: reproducible = 0
  end type

  type, bind(c) :: c_wherry_usage
    integer(c_int) :: kind = 0
    type(c_ptr) :: implementation = c_null_ptr
    integer(c_int64_t) :: calls = 0
  end type

  type, bind(c) :: c_wherry_fallen_through
    integer(c_int) :: kind = 0
    type(c_ptr) :: wanted = c_null_ptr
    type(c_ptr) :: why = c_null_ptr
    integer(c_int64_t) :: calls = 0
  end type

  type, bind(c) :: c_wherry_tuned_rule
    integer(c_int) :: kind = 0
    integer(c_int64_t) :: from = 0
    type(c_ptr) :: implementation = c_null_ptr
  end type

  type, bind(c) :: c_wherry_start_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: protected_buffer = 0
    type(c_ptr) :: implementation = c_null_ptr
  end type

  type, bind(c) :: c_wherry_deep_type
    type(c_ptr) :: name = c_null_ptr
    integer(c_size_t) :: size = 0
    integer(c_int) :: pointer_count = 0
    type(c_ptr) :: pointers = c_null_ptr
  end type

  type, bind(c) :: c_wherry_deep_pointer
    integer(c_size_t) :: offset = 0
    integer(c_int) :: kind = 0
    type(c_ptr) :: target = c_null_ptr
    integer(c_size_t) :: element_bytes = 0
    integer(c_int64_t) :: count = 0
    integer(c_size_t) :: count_offset = 0
    integer(c_size_t) :: count_bytes = 0
    integer(c_size_t) :: base_offset = 0
  end type

  type, bind(c) :: c_wherry_deep_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: tag = 0
    type(c_funptr) :: allocate = c_null_funptr
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: context = c_null_ptr
    integer(c_int) :: no_sync = 0
    integer(c_int) :: reserved = 0
  end type

  type, bind(c) :: c_wherry_statistics
    integer(c_int64_t) :: exchanges = 0
    integer(c_int64_t) :: bytes_sent = 0
    integer(c_int64_t) :: bytes_received = 0
    integer(c_int64_t) :: bytes_copied = 0
    real(c_double) :: seconds_waiting = 0
    real(c_double) :: seconds_copying = 0
  end type

  type, bind(c) :: c_wherry_balance_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: method = 0
    type(c_ptr) :: weights = c_null_ptr
    integer(c_int) :: weight_count = 0
    integer(c_int) :: reserved = 0
  end type

  type, bind(c) :: c_wherry_decompose_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: largest(7) = 0
    integer(c_int64_t) :: multiple_of(7) = 0
    integer(c_int) :: method = 0
    type(c_ptr) :: weights = c_null_ptr
    integer(c_int) :: weight_count = 0
    integer(c_int) :: reserved = 0
  end type

  type, bind(c) :: c_wherry_box_part
    integer(c_int) :: number = 0
    type(c_wherry_box) :: cells
  end type

  type, bind(c) :: c_wherry_process_grid_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: periodic = c_null_ptr
    type(c_ptr) :: extents = c_null_ptr
    integer(c_int) :: order = 0
    integer(c_int) :: reserved = 0
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

  type, bind(c) :: c_wherry_index_run
    integer(c_int64_t) :: first = 0
    integer(c_int64_t) :: count = 0
  end type

  type, bind(c) :: c_wherry_index_set
    integer(c_int64_t) :: run_count = 0
    type(c_ptr) :: runs = c_null_ptr
    integer(c_int64_t) :: member_count = 0
    type(c_ptr) :: members = c_null_ptr
  end type

  type, bind(c) :: c_wherry_index_array_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: components = 0
    integer(c_int) :: apart = 0
    integer(c_int) :: space = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_index_block
    integer(c_int) :: number = 0
    integer(c_int) :: components = 0
    integer(c_int32_t) :: type = 0
    integer(c_int64_t) :: points = 0
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: point_stride = 0
    integer(c_int64_t) :: component_stride = 0
  end type

  type, bind(c) :: c_wherry_index_movement
    type(c_ptr) :: motions = c_null_ptr
    type(c_ptr) :: source = c_null_ptr
    type(c_ptr) :: destination = c_null_ptr
    type(c_wherry_reduction) :: update
    integer(c_int) :: stage = 0
  end type

  type, bind(c) :: c_wherry_layer_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_reduction) :: update
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_level_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: reach = 0
    integer(c_int) :: only_rim = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_motion
    integer(c_int) :: from = 0
    integer(c_int) :: to = 0
    type(c_wherry_box) :: source
    type(c_wherry_box) :: destination
    integer(c_int) :: turned = 0
    integer(c_int) :: axes(7) = 0
  end type

  type, bind(c) :: c_wherry_halo_motion_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: on_planes(7) = 0
    integer(c_int) :: stencil = 0
    type(c_ptr) :: directions = c_null_ptr
    integer(c_int) :: direction_count = 0
    integer(c_int) :: order = 0
  end type

  type, bind(c) :: c_wherry_movement
    type(c_ptr) :: motions = c_null_ptr
    type(c_ptr) :: source = c_null_ptr
    type(c_ptr) :: destination = c_null_ptr
    type(c_wherry_reduction) :: update
    integer(c_int) :: stage = 0
  end type

  type, bind(c) :: c_wherry_mover_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_reduction) :: update
    integer(c_int) :: in_parts = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_ghost_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: stencil = 0
    type(c_ptr) :: directions = c_null_ptr
    integer(c_int) :: direction_count = 0
    type(c_wherry_reduction) :: combine_copies
    type(c_wherry_widths) :: contributing
    integer(c_int) :: in_parts = 0
    type(c_wherry_carry_options) :: carry
  end type

  type, bind(c) :: c_wherry_published_options
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: windows = c_null_ptr
    integer(c_int) :: window_count = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_passive_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: largest = 0
    integer(c_int) :: under_way = 0
    type(c_ptr) :: name = c_null_ptr
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

  type, bind(c) :: c_wherry_segment_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: notifications = 0
    integer(c_int) :: not_counted = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_segment_piece
    integer(c_int64_t) :: at = 0
    type(c_ptr) :: memory = c_null_ptr
    integer(c_int64_t) :: bytes = 0
  end type

  type, bind(c) :: c_wherry_segment_notice
    integer(c_int) :: to = 0
    integer(c_int) :: id = 0
    integer(c_int32_t) :: value = 0
  end type

  type, bind(c) :: c_wherry_segment_ticket
    integer(c_int64_t) :: words(10) = 0
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

  type, bind(c) :: c_wherry_x_array_options
    integer(c_size_t) :: struct_size = 0
    type(c_wherry_widths) :: ghost_width
    integer(c_int) :: on_planes(7) = 0
    integer(c_int) :: layout = 0
    integer(c_int) :: places(7) = 0
    integer(c_int) :: components = 0
    integer(c_int) :: numbers = 0
    integer(c_int) :: dense_rows = 0
    integer(c_int) :: space = 0
    type(c_ptr) :: name = c_null_ptr
  end type

  type, bind(c) :: c_wherry_block
    integer(c_int) :: number = 0
    integer(c_int) :: components = 0
    integer(c_int64_t) :: component_stride = 0
    type(c_wherry_box) :: core
    type(c_wherry_box) :: whole
    type(c_wherry_view) :: values
  end type

  interface
    function c_strlen(text) bind(c, name='strlen') result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
    function c_write_array(path, array, section, options) &
      bind(c, name='wherry_write_array') result(status_)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: array
      type(c_ptr), value :: section
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_read_array(path, array, section, options, filled) &
      bind(c, name='wherry_read_array') result(status_)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: array
      type(c_ptr), value :: section
      type(c_ptr), value :: options
      integer(c_int64_t), intent(inout) :: filled
      integer(c_int) :: status_
    end function
    function c_describe_array_file(comm, path, result) &
      bind(c, name='wherry_describe_array_file') result(status_)
      import
      type(c_ptr), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      type(c_wherry_array_file_description), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_read_floor_plan(comm, path, result) &
      bind(c, name='wherry_read_floor_plan') result(status_)
      import
      type(c_ptr), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_series_create(comm, path, result) &
      bind(c, name='wherry_array_series_create') result(status_)
      import
      type(c_ptr), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_series_free(series) &
      bind(c, name='wherry_array_series_free') result(status_)
      import
      type(c_ptr), intent(inout) :: series
      integer(c_int) :: status_
    end function
    function c_array_series_write(series, name, step, array, section, options) &
      bind(c, name='wherry_array_series_write') result(status_)
      import
      type(c_ptr), value :: series
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: step
      type(c_ptr), value :: array
      type(c_ptr), value :: section
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_array_series_read(series, name, step, array, section, options, filled) &
      bind(c, name='wherry_array_series_read') result(status_)
      import
      type(c_ptr), value :: series
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: step
      type(c_ptr), value :: array
      type(c_ptr), value :: section
      type(c_ptr), value :: options
      integer(c_int64_t), intent(inout) :: filled
      integer(c_int) :: status_
    end function
    function c_array_series_size(series, size) &
      bind(c, name='wherry_array_series_size') result(status_)
      import
      type(c_ptr), value :: series
      integer(c_int64_t), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_array_series_get(series, index, result) &
      bind(c, name='wherry_array_series_get') result(status_)
      import
      type(c_ptr), value :: series
      integer(c_int64_t), value :: index
      type(c_wherry_array_series_entry), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_series_steps(series, name, capacity, steps, count) &
      bind(c, name='wherry_array_series_steps') result(status_)
      import
      type(c_ptr), value :: series
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: capacity
      integer(c_int64_t), intent(inout) :: steps(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_array_series_describe(series, name, step, result) &
      bind(c, name='wherry_array_series_describe') result(status_)
      import
      type(c_ptr), value :: series
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: step
      type(c_wherry_array_file_description), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_writer_create(array, section, options, result) &
      bind(c, name='wherry_array_writer_create') result(status_)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: section
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_writer_free(writer) &
      bind(c, name='wherry_array_writer_free') result(status_)
      import
      type(c_ptr), intent(inout) :: writer
      integer(c_int) :: status_
    end function
    function c_array_writer_start(writer, path) &
      bind(c, name='wherry_array_writer_start') result(status_)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: status_
    end function
    function c_array_writer_start_series(writer, series, name, step) &
      bind(c, name='wherry_array_writer_start_series') result(status_)
      import
      type(c_ptr), value :: writer
      type(c_ptr), value :: series
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: step
      integer(c_int) :: status_
    end function
    function c_array_writer_test(writer, done) &
      bind(c, name='wherry_array_writer_test') result(status_)
      import
      type(c_ptr), value :: writer
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_array_writer_wait(writer) &
      bind(c, name='wherry_array_writer_wait') result(status_)
      import
      type(c_ptr), value :: writer
      integer(c_int) :: status_
    end function
    function c_array_writer_statistics(writer, result) &
      bind(c, name='wherry_array_writer_statistics') result(status_)
      import
      type(c_ptr), value :: writer
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_array_writer_explain(writer, text) &
      bind(c, name='wherry_array_writer_explain') result(status_)
      import
      type(c_ptr), value :: writer
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
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
    function c_make_box(dimensions, lower, upper) &
      bind(c, name='wherry_make_box') result(status_)
      import
      integer(c_int), value :: dimensions
      type(c_ptr), value :: lower
      type(c_ptr), value :: upper
      type(c_wherry_box) :: status_
    end function
    function c_box_extents(box, extents) &
      bind(c, name='wherry_box_extents') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int64_t), intent(inout) :: extents(*)
      integer(c_int) :: status_
    end function
    function c_box_size(box, size) &
      bind(c, name='wherry_box_size') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int64_t), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_box_is_empty(box, result) &
      bind(c, name='wherry_box_is_empty') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_contains_point(box, point, result) &
      bind(c, name='wherry_box_contains_point') result(status_)
      import
      type(c_wherry_box), value :: box
      type(c_ptr), value :: point
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_contains(box, other, result) &
      bind(c, name='wherry_box_contains') result(status_)
      import
      type(c_wherry_box), value :: box
      type(c_wherry_box), value :: other
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_intersects(a, b, result) &
      bind(c, name='wherry_box_intersects') result(status_)
      import
      type(c_wherry_box), value :: a
      type(c_wherry_box), value :: b
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_equals(a, b, result) &
      bind(c, name='wherry_box_equals') result(status_)
      import
      type(c_wherry_box), value :: a
      type(c_wherry_box), value :: b
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_intersection(a, b, result) &
      bind(c, name='wherry_box_intersection') result(status_)
      import
      type(c_wherry_box), value :: a
      type(c_wherry_box), value :: b
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_bounding(a, b, result) &
      bind(c, name='wherry_box_bounding') result(status_)
      import
      type(c_wherry_box), value :: a
      type(c_wherry_box), value :: b
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_shift(box, offset, result) &
      bind(c, name='wherry_box_shift') result(status_)
      import
      type(c_wherry_box), value :: box
      type(c_ptr), value :: offset
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_grow(box, width, result) &
      bind(c, name='wherry_box_grow') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int64_t), value :: width
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_grow_sides(box, below, above, result) &
      bind(c, name='wherry_box_grow_sides') result(status_)
      import
      type(c_wherry_box), value :: box
      type(c_ptr), value :: below
      type(c_ptr), value :: above
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_coarsen(fine, ratio, result) &
      bind(c, name='wherry_box_coarsen') result(status_)
      import
      type(c_wherry_box), value :: fine
      type(c_ptr), value :: ratio
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_refine(coarse, ratio, result) &
      bind(c, name='wherry_box_refine') result(status_)
      import
      type(c_wherry_box), value :: coarse
      type(c_ptr), value :: ratio
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_inner_layers(box, dimension, side, width, result) &
      bind(c, name='wherry_box_inner_layers') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int), value :: dimension
      integer(c_int), value :: side
      integer(c_int64_t), value :: width
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_outer_layers(box, dimension, side, width, result) &
      bind(c, name='wherry_box_outer_layers') result(status_)
      import
      type(c_wherry_box), value :: box
      integer(c_int), value :: dimension
      integer(c_int), value :: side
      integer(c_int64_t), value :: width
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_values(cells, on_planes, result) &
      bind(c, name='wherry_box_values') result(status_)
      import
      type(c_wherry_box), value :: cells
      type(c_ptr), value :: on_planes
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_box_difference(a, b, result, count) &
      bind(c, name='wherry_box_difference') result(status_)
      import
      type(c_wherry_box), value :: a
      type(c_wherry_box), value :: b
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_union(box_count, boxes, capacity, result, count) &
      bind(c, name='wherry_boxes_union') result(status_)
      import
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      integer(c_int), value :: capacity
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_difference(a_count, a, b_count, b, capacity, result, count) &
      bind(c, name='wherry_boxes_difference') result(status_)
      import
      integer(c_int), value :: a_count
      type(c_ptr), value :: a
      integer(c_int), value :: b_count
      type(c_ptr), value :: b
      integer(c_int), value :: capacity
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_intersection(a_count, a, b_count, b, capacity, result, count) &
      bind(c, name='wherry_boxes_intersection') result(status_)
      import
      integer(c_int), value :: a_count
      type(c_ptr), value :: a
      integer(c_int), value :: b_count
      type(c_ptr), value :: b
      integer(c_int), value :: capacity
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_complement(box_count, boxes, whole, capacity, result, count) &
      bind(c, name='wherry_boxes_complement') result(status_)
      import
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      type(c_wherry_box), value :: whole
      integer(c_int), value :: capacity
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_simplified(box_count, boxes, capacity, result, count) &
      bind(c, name='wherry_boxes_simplified') result(status_)
      import
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      integer(c_int), value :: capacity
      type(c_wherry_box), target, intent(inout) :: result(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_boxes_size(box_count, boxes, size) &
      bind(c, name='wherry_boxes_size') result(status_)
      import
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      integer(c_int64_t), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_open_domain(cells) &
      bind(c, name='wherry_open_domain') result(status_)
      import
      type(c_wherry_box), value :: cells
      type(c_wherry_domain) :: status_
    end function
    function c_torus(cells) &
      bind(c, name='wherry_torus') result(status_)
      import
      type(c_wherry_box), value :: cells
      type(c_wherry_domain) :: status_
    end function
    function c_domain_wrapped(space, point, result) &
      bind(c, name='wherry_domain_wrapped') result(status_)
      import
      type(c_ptr), value :: space
      type(c_ptr), value :: point
      integer(c_int64_t), intent(inout) :: result(*)
      integer(c_int) :: status_
    end function
    function c_domain_refine(space, ratio, result) &
      bind(c, name='wherry_domain_refine') result(status_)
      import
      type(c_ptr), value :: space
      type(c_ptr), value :: ratio
      type(c_wherry_domain), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_same_widths(width) &
      bind(c, name='wherry_same_widths') result(status_)
      import
      integer(c_int64_t), value :: width
      type(c_wherry_widths) :: status_
    end function
    function c_implementations(list, count) &
      bind(c, name='wherry_implementations') result(status_)
      import
      type(c_ptr), intent(inout) :: list
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_usage_so_far(rows, count) &
      bind(c, name='wherry_usage_so_far') result(status_)
      import
      type(c_ptr), intent(inout) :: rows
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_fallen_through_so_far(rows, count) &
      bind(c, name='wherry_fallen_through_so_far') result(status_)
      import
      type(c_ptr), intent(inout) :: rows
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_read_tuning(text, ranks, nodes, rules, count) &
      bind(c, name='wherry_read_tuning') result(status_)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: ranks
      integer(c_int), value :: nodes
      type(c_ptr), intent(inout) :: rules
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_write_tuning(text, rules, count, ranks, nodes, remark, result) &
      bind(c, name='wherry_write_tuning') result(status_)
      import
      character(kind=c_char), intent(in) :: text(*)
      type(c_ptr), value :: rules
      integer(c_int), value :: count
      integer(c_int), value :: ranks
      integer(c_int), value :: nodes
      character(kind=c_char), intent(in) :: remark(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_collective_name(kind) &
      bind(c, name='wherry_collective_name') result(status_)
      import
      integer(c_int), value :: kind
      type(c_ptr) :: status_
    end function
    function c_request_start(request) &
      bind(c, name='wherry_request_start') result(status_)
      import
      type(c_ptr), value :: request
      integer(c_int) :: status_
    end function
    function c_request_test(request, done) &
      bind(c, name='wherry_request_test') result(status_)
      import
      type(c_ptr), value :: request
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_request_wait(request) &
      bind(c, name='wherry_request_wait') result(status_)
      import
      type(c_ptr), value :: request
      integer(c_int) :: status_
    end function
    function c_request_run(request) &
      bind(c, name='wherry_request_run') result(status_)
      import
      type(c_ptr), value :: request
      integer(c_int) :: status_
    end function
    function c_request_abandon(request) &
      bind(c, name='wherry_request_abandon') result(status_)
      import
      type(c_ptr), value :: request
      integer(c_int) :: status_
    end function
    function c_request_free(request) &
      bind(c, name='wherry_request_free') result(status_)
      import
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: status_
    end function
    function c_request_transport(request, text) &
      bind(c, name='wherry_request_transport') result(status_)
      import
      type(c_ptr), value :: request
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_request_explain(request, text) &
      bind(c, name='wherry_request_explain') result(status_)
      import
      type(c_ptr), value :: request
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_request_statistics(request, result) &
      bind(c, name='wherry_request_statistics') result(status_)
      import
      type(c_ptr), value :: request
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
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
    function c_deep_send(comm, type, root, count, to, options) &
      bind(c, name='wherry_deep_send') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: type
      type(c_ptr), value :: root
      integer(c_int64_t), value :: count
      integer(c_int), value :: to
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_receive(comm, type, root, count, from, source, options) &
      bind(c, name='wherry_deep_receive') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: type
      type(c_ptr), intent(inout) :: root
      integer(c_int64_t), intent(inout) :: count
      integer(c_int), value :: from
      integer(c_int), intent(inout) :: source
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_bcast(comm, type, root, count, from, options) &
      bind(c, name='wherry_deep_bcast') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: type
      type(c_ptr), intent(inout) :: root
      integer(c_int64_t), intent(inout) :: count
      integer(c_int), value :: from
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_write(path, type, root, count, options) &
      bind(c, name='wherry_deep_write') result(status_)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: type
      type(c_ptr), value :: root
      integer(c_int64_t), value :: count
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_read(path, type, root, count, options) &
      bind(c, name='wherry_deep_read') result(status_)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: type
      type(c_ptr), intent(inout) :: root
      integer(c_int64_t), intent(inout) :: count
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_pack(type, root, count, bytes, size, options) &
      bind(c, name='wherry_deep_pack') result(status_)
      import
      type(c_ptr), value :: type
      type(c_ptr), value :: root
      integer(c_int64_t), value :: count
      type(c_ptr), intent(inout) :: bytes
      integer(c_int64_t), intent(inout) :: size
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_unpack(type, bytes, size, root, count, options) &
      bind(c, name='wherry_deep_unpack') result(status_)
      import
      type(c_ptr), value :: type
      type(c_ptr), value :: bytes
      integer(c_int64_t), value :: size
      type(c_ptr), intent(inout) :: root
      integer(c_int64_t), intent(inout) :: count
      type(c_ptr), value :: options
      integer(c_int) :: status_
    end function
    function c_deep_free(type, root, count, options) &
      bind(c, name='wherry_deep_free') result(status_)
      import
      type(c_ptr), value :: type
      type(c_ptr), intent(inout) :: root
      integer(c_int64_t), value :: count
      type(c_ptr), value :: options
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
    function c_exchange_start_in_parts_with(exchange, count, arrays) &
      bind(c, name='wherry_exchange_start_in_parts_with') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
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
      type(c_wherry_statistics), target, intent(inout) :: result
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
    function c_floor_plan_create(dimensions, box_count, boxes, owners, result) &
      bind(c, name='wherry_floor_plan_create') result(status_)
      import
      integer(c_int), value :: dimensions
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      type(c_ptr), value :: owners
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_create_partial(dimensions, total, box_count, numbers, boxes, owners, result) &
      bind(c, name='wherry_floor_plan_create_partial') result(status_)
      import
      integer(c_int), value :: dimensions
      integer(c_int), value :: total
      integer(c_int), value :: box_count
      type(c_ptr), value :: numbers
      type(c_ptr), value :: boxes
      type(c_ptr), value :: owners
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_create_distributed(comm, dimensions, box_count, boxes, reach, space, result) &
      bind(c, name='wherry_floor_plan_create_distributed') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: dimensions
      integer(c_int), value :: box_count
      type(c_ptr), value :: boxes
      type(c_ptr), value :: reach
      type(c_ptr), value :: space
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_free(plan) &
      bind(c, name='wherry_floor_plan_free') result(status_)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status_
    end function
    function c_floor_plan_decompose(cells, ranks, options, result) &
      bind(c, name='wherry_floor_plan_decompose') result(status_)
      import
      type(c_wherry_box), value :: cells
      integer(c_int), value :: ranks
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_even_blocks(cells, pieces, owner_count, owners, result) &
      bind(c, name='wherry_floor_plan_even_blocks') result(status_)
      import
      type(c_wherry_box), value :: cells
      type(c_ptr), value :: pieces
      integer(c_int), value :: owner_count
      type(c_ptr), value :: owners
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_cut_blocks(dimensions, cut_counts, cuts, owner_count, owners, result) &
      bind(c, name='wherry_floor_plan_cut_blocks') result(status_)
      import
      integer(c_int), value :: dimensions
      type(c_ptr), value :: cut_counts
      type(c_ptr), value :: cuts
      integer(c_int), value :: owner_count
      type(c_ptr), value :: owners
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_block_cyclic(cells, block, process_grid, rank_count, ranks, result) &
      bind(c, name='wherry_floor_plan_block_cyclic') result(status_)
      import
      type(c_wherry_box), value :: cells
      type(c_ptr), value :: block
      type(c_ptr), value :: process_grid
      integer(c_int), value :: rank_count
      type(c_ptr), value :: ranks
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_bisected_blocks(cells, ranks, result) &
      bind(c, name='wherry_floor_plan_bisected_blocks') result(status_)
      import
      type(c_wherry_box), value :: cells
      integer(c_int), value :: ranks
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_balance(plan, ranks, options, result) &
      bind(c, name='wherry_floor_plan_balance') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: ranks
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_loads(plan, ranks, weight_count, weights, loads, imbalance) &
      bind(c, name='wherry_floor_plan_loads') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: ranks
      integer(c_int), value :: weight_count
      type(c_ptr), value :: weights
      real(c_double), intent(inout) :: loads(*)
      real(c_double), intent(inout) :: imbalance
      integer(c_int) :: status_
    end function
    function c_owners_round_robin(box_count, ranks, owners) &
      bind(c, name='wherry_owners_round_robin') result(status_)
      import
      integer(c_int), value :: box_count
      integer(c_int), value :: ranks
      integer(c_int), intent(inout) :: owners(*)
      integer(c_int) :: status_
    end function
    function c_owners_row_major(dimensions, process_grid, owners) &
      bind(c, name='wherry_owners_row_major') result(status_)
      import
      integer(c_int), value :: dimensions
      type(c_ptr), value :: process_grid
      integer(c_int), intent(inout) :: owners(*)
      integer(c_int) :: status_
    end function
    function c_owners_heaviest_first(box_count, weights, ranks, owners) &
      bind(c, name='wherry_owners_heaviest_first') result(status_)
      import
      integer(c_int), value :: box_count
      type(c_ptr), value :: weights
      integer(c_int), value :: ranks
      integer(c_int), intent(inout) :: owners(*)
      integer(c_int) :: status_
    end function
    function c_floor_plan_resolve(comm, plan, reach, space, result) &
      bind(c, name='wherry_floor_plan_resolve') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      type(c_ptr), value :: reach
      type(c_ptr), value :: space
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_resolve_pair(comm, from, on_planes, to, space, from_result, to_result) &
      bind(c, name='wherry_floor_plan_resolve_pair') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: from
      type(c_ptr), value :: on_planes
      type(c_ptr), value :: to
      type(c_ptr), value :: space
      type(c_ptr), intent(inout) :: from_result
      type(c_ptr), intent(inout) :: to_result
      integer(c_int) :: status_
    end function
    function c_floor_plan_values(plan, on_planes, result) &
      bind(c, name='wherry_floor_plan_values') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: on_planes
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_coarsened(fine, ratio, reach, result) &
      bind(c, name='wherry_floor_plan_coarsened') result(status_)
      import
      type(c_ptr), value :: fine
      type(c_ptr), value :: ratio
      integer(c_int64_t), value :: reach
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_transformed(plan, change, context, result) &
      bind(c, name='wherry_floor_plan_transformed') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_funptr), value :: change
      type(c_ptr), value :: context
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_add(plan, box, owner) &
      bind(c, name='wherry_floor_plan_add') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_wherry_box), value :: box
      integer(c_int), value :: owner
      integer(c_int) :: status_
    end function
    function c_floor_plan_dimensions(plan, dimensions) &
      bind(c, name='wherry_floor_plan_dimensions') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: dimensions
      integer(c_int) :: status_
    end function
    function c_floor_plan_size(plan, size, known, complete) &
      bind(c, name='wherry_floor_plan_size') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: size
      integer(c_int), intent(inout) :: known
      integer(c_int), intent(inout) :: complete
      integer(c_int) :: status_
    end function
    function c_floor_plan_box(plan, number, box, owner) &
      bind(c, name='wherry_floor_plan_box') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: number
      type(c_wherry_box), target, intent(inout) :: box
      integer(c_int), intent(inout) :: owner
      integer(c_int) :: status_
    end function
    function c_floor_plan_number_of(plan, place, number) &
      bind(c, name='wherry_floor_plan_number_of') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: place
      integer(c_int), intent(inout) :: number
      integer(c_int) :: status_
    end function
    function c_floor_plan_place_of(plan, number, place) &
      bind(c, name='wherry_floor_plan_place_of') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: number
      integer(c_int), intent(inout) :: place
      integer(c_int) :: status_
    end function
    function c_floor_plan_owned_by(plan, rank, capacity, numbers, count) &
      bind(c, name='wherry_floor_plan_owned_by') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_int), value :: capacity
      integer(c_int), intent(inout) :: numbers(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_floor_plan_find(plan, point, number, owner) &
      bind(c, name='wherry_floor_plan_find') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: point
      integer(c_int), intent(inout) :: number
      integer(c_int), intent(inout) :: owner
      integer(c_int) :: status_
    end function
    function c_floor_plan_bounding_box(plan, result) &
      bind(c, name='wherry_floor_plan_bounding_box') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_wherry_box), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_fingerprint(plan, result) &
      bind(c, name='wherry_floor_plan_fingerprint') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_equals(a, b, result) &
      bind(c, name='wherry_floor_plan_equals') result(status_)
      import
      type(c_ptr), value :: a
      type(c_ptr), value :: b
      integer(c_int), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_floor_plan_explain(plan, most_rows, text) &
      bind(c, name='wherry_floor_plan_explain') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: most_rows
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_floor_plan_to_json(plan, text) &
      bind(c, name='wherry_floor_plan_to_json') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_uncovered_ghosts(plan, widths, space, rank, capacity, parts, count) &
      bind(c, name='wherry_uncovered_ghosts') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: widths
      type(c_ptr), value :: space
      integer(c_int), value :: rank
      integer(c_int), value :: capacity
      type(c_wherry_box_part), target, intent(inout) :: parts(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_without_overlap(plan, rank, capacity, parts, count) &
      bind(c, name='wherry_without_overlap') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_int), value :: capacity
      type(c_wherry_box_part), target, intent(inout) :: parts(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_owned_values(plan, on_planes, space, rank, capacity, parts, count) &
      bind(c, name='wherry_owned_values') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: on_planes
      type(c_ptr), value :: space
      integer(c_int), value :: rank
      integer(c_int), value :: capacity
      type(c_wherry_box_part), target, intent(inout) :: parts(*)
      integer(c_int), intent(inout) :: count
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
      type(c_wherry_box), target, intent(inout) :: result
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
    function c_index_floor_plan_create(part_count, parts, owners, result) &
      bind(c, name='wherry_index_floor_plan_create') result(status_)
      import
      integer(c_int), value :: part_count
      type(c_ptr), value :: parts
      type(c_ptr), value :: owners
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_create_distributed(comm, part_count, parts, result) &
      bind(c, name='wherry_index_floor_plan_create_distributed') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: part_count
      type(c_ptr), value :: parts
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_resolve(comm, plan, result) &
      bind(c, name='wherry_index_floor_plan_resolve') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_resolve_pair(comm, from, to, from_result, to_result) &
      bind(c, name='wherry_index_floor_plan_resolve_pair') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(c_ptr), intent(inout) :: from_result
      type(c_ptr), intent(inout) :: to_result
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_without_overlap(plan, rank, result) &
      bind(c, name='wherry_index_floor_plan_without_overlap') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_free(plan) &
      bind(c, name='wherry_index_floor_plan_free') result(status_)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_size(plan, size, known, complete) &
      bind(c, name='wherry_index_floor_plan_size') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: size
      integer(c_int), intent(inout) :: known
      integer(c_int), intent(inout) :: complete
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_part(plan, number, part, owner) &
      bind(c, name='wherry_index_floor_plan_part') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: number
      type(c_wherry_index_set), target, intent(inout) :: part
      integer(c_int), intent(inout) :: owner
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_place_of(plan, number, point, place) &
      bind(c, name='wherry_index_floor_plan_place_of') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: number
      integer(c_int64_t), value :: point
      integer(c_int64_t), intent(inout) :: place
      integer(c_int) :: status_
    end function
    function c_index_floor_plan_owned_by(plan, rank, capacity, numbers, count) &
      bind(c, name='wherry_index_floor_plan_owned_by') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_int), value :: capacity
      integer(c_int), intent(inout) :: numbers(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_index_array_create(comm, plan, type, options, result) &
      bind(c, name='wherry_index_array_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      integer(c_int32_t), value :: type
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_array_create_over(comm, plan, type, value_count, values, options, result) &
      bind(c, name='wherry_index_array_create_over') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      integer(c_int32_t), value :: type
      integer(c_int), value :: value_count
      type(c_ptr), value :: values
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_array_free(array) &
      bind(c, name='wherry_index_array_free') result(status_)
      import
      type(c_ptr), intent(inout) :: array
      integer(c_int) :: status_
    end function
    function c_index_array_size(array, parts) &
      bind(c, name='wherry_index_array_size') result(status_)
      import
      type(c_ptr), value :: array
      integer(c_int), intent(inout) :: parts
      integer(c_int) :: status_
    end function
    function c_index_array_part(array, index, result) &
      bind(c, name='wherry_index_array_part') result(status_)
      import
      type(c_ptr), value :: array
      integer(c_int), value :: index
      type(c_wherry_index_block), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_motions_create(result) &
      bind(c, name='wherry_index_motions_create') result(status_)
      import
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_motions_free(motions) &
      bind(c, name='wherry_index_motions_free') result(status_)
      import
      type(c_ptr), intent(inout) :: motions
      integer(c_int) :: status_
    end function
    function c_index_motions_copy(motions, from, source, to, destination) &
      bind(c, name='wherry_index_motions_copy') result(status_)
      import
      type(c_ptr), value :: motions
      integer(c_int), value :: from
      type(c_ptr), value :: source
      integer(c_int), value :: to
      type(c_ptr), value :: destination
      integer(c_int) :: status_
    end function
    function c_index_motions_halo(owned, touched, result) &
      bind(c, name='wherry_index_motions_halo') result(status_)
      import
      type(c_ptr), value :: owned
      type(c_ptr), value :: touched
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_motions_redistribution(from, to, result) &
      bind(c, name='wherry_index_motions_redistribution') result(status_)
      import
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_motions_reversed(motions, result) &
      bind(c, name='wherry_index_motions_reversed') result(status_)
      import
      type(c_ptr), value :: motions
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_mover_create(comm, movement_count, movements, options, result) &
      bind(c, name='wherry_index_mover_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: movement_count
      type(c_ptr), value :: movements
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_index_mover_start_with(exchange, count, arrays) &
      bind(c, name='wherry_index_mover_start_with') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
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
      type(c_wherry_statistics), target, intent(inout) :: result
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
      type(c_wherry_view), target, intent(inout) :: array
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
    function c_level_coupling_create(coarse, fine, space, ratio, options, result) &
      bind(c, name='wherry_level_coupling_create') result(status_)
      import
      type(c_ptr), value :: coarse
      type(c_ptr), value :: fine
      type(c_ptr), value :: space
      type(c_ptr), value :: ratio
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_level_coupling_free(levels) &
      bind(c, name='wherry_level_coupling_free') result(status_)
      import
      type(c_ptr), intent(inout) :: levels
      integer(c_int) :: status_
    end function
    function c_level_start_ghosts(levels) &
      bind(c, name='wherry_level_start_ghosts') result(status_)
      import
      type(c_ptr), value :: levels
      integer(c_int) :: status_
    end function
    function c_level_test_ghosts(levels, done) &
      bind(c, name='wherry_level_test_ghosts') result(status_)
      import
      type(c_ptr), value :: levels
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_level_wait_ghosts(levels, interpolate, context) &
      bind(c, name='wherry_level_wait_ghosts') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_funptr), value :: interpolate
      type(c_ptr), value :: context
      integer(c_int) :: status_
    end function
    function c_level_fill_ghosts(levels, interpolate, context) &
      bind(c, name='wherry_level_fill_ghosts') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_funptr), value :: interpolate
      type(c_ptr), value :: context
      integer(c_int) :: status_
    end function
    function c_level_fill_all(levels, interpolate, context) &
      bind(c, name='wherry_level_fill_all') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_funptr), value :: interpolate
      type(c_ptr), value :: context
      integer(c_int) :: status_
    end function
    function c_level_start_average_down(levels, average, context) &
      bind(c, name='wherry_level_start_average_down') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_funptr), value :: average
      type(c_ptr), value :: context
      integer(c_int) :: status_
    end function
    function c_level_test_average_down(levels, done) &
      bind(c, name='wherry_level_test_average_down') result(status_)
      import
      type(c_ptr), value :: levels
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_level_wait_average_down(levels) &
      bind(c, name='wherry_level_wait_average_down') result(status_)
      import
      type(c_ptr), value :: levels
      integer(c_int) :: status_
    end function
    function c_level_average_down(levels, average, context) &
      bind(c, name='wherry_level_average_down') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_funptr), value :: average
      type(c_ptr), value :: context
      integer(c_int) :: status_
    end function
    function c_level_ghosts(levels, capacity, parts, count) &
      bind(c, name='wherry_level_ghosts') result(status_)
      import
      type(c_ptr), value :: levels
      integer(c_int), value :: capacity
      type(c_wherry_box_part), target, intent(inout) :: parts(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_level_statistics(levels, result) &
      bind(c, name='wherry_level_statistics') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_level_explain(levels, text) &
      bind(c, name='wherry_level_explain') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_level_transport(levels, text) &
      bind(c, name='wherry_level_transport') result(status_)
      import
      type(c_ptr), value :: levels
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_motion_plan_create(dimensions, result) &
      bind(c, name='wherry_motion_plan_create') result(status_)
      import
      integer(c_int), value :: dimensions
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_free(plan) &
      bind(c, name='wherry_motion_plan_free') result(status_)
      import
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status_
    end function
    function c_motion_plan_add(plan, entry) &
      bind(c, name='wherry_motion_plan_add') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: entry
      integer(c_int) :: status_
    end function
    function c_motion_plan_copy(plan, from, source, to, destination) &
      bind(c, name='wherry_motion_plan_copy') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: from
      type(c_wherry_box), value :: source
      integer(c_int), value :: to
      type(c_wherry_box), value :: destination
      integer(c_int) :: status_
    end function
    function c_motion_plan_append(plan, other) &
      bind(c, name='wherry_motion_plan_append') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: other
      integer(c_int) :: status_
    end function
    function c_motion_plan_set(plan, index, entry) &
      bind(c, name='wherry_motion_plan_set') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: index
      type(c_ptr), value :: entry
      integer(c_int) :: status_
    end function
    function c_motion_plan_remove(plan, index) &
      bind(c, name='wherry_motion_plan_remove') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: index
      integer(c_int) :: status_
    end function
    function c_motion_plan_clear(plan) &
      bind(c, name='wherry_motion_plan_clear') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int) :: status_
    end function
    function c_motion_plan_size(plan, size) &
      bind(c, name='wherry_motion_plan_size') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_motion_plan_entry(plan, index, result) &
      bind(c, name='wherry_motion_plan_entry') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: index
      type(c_wherry_motion), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_halo(plan, widths, space, options, result) &
      bind(c, name='wherry_motion_plan_halo') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: widths
      type(c_ptr), value :: space
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_redistribution(from, on_planes, to, space, result) &
      bind(c, name='wherry_motion_plan_redistribution') result(status_)
      import
      type(c_ptr), value :: from
      type(c_ptr), value :: on_planes
      type(c_ptr), value :: to
      type(c_ptr), value :: space
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_transposition(from, to, axes, result) &
      bind(c, name='wherry_motion_plan_transposition') result(status_)
      import
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(c_ptr), value :: axes
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_by_rule(dimensions, make, context, result) &
      bind(c, name='wherry_motion_plan_by_rule') result(status_)
      import
      integer(c_int), value :: dimensions
      type(c_funptr), value :: make
      type(c_ptr), value :: context
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_only(plan, wanted, context, result) &
      bind(c, name='wherry_motion_plan_only') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_funptr), value :: wanted
      type(c_ptr), value :: context
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_transformed(plan, change, context, result) &
      bind(c, name='wherry_motion_plan_transformed') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_funptr), value :: change
      type(c_ptr), value :: context
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_reversed(plan, result) &
      bind(c, name='wherry_motion_plan_reversed') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_listed(plan, rank, result) &
      bind(c, name='wherry_motion_plan_listed') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_motion_plan_stages(plan, stages) &
      bind(c, name='wherry_motion_plan_stages') result(status_)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: stages
      integer(c_int) :: status_
    end function
    function c_motion_plan_explain(plan, source, destination, most_rows, text) &
      bind(c, name='wherry_motion_plan_explain') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: source
      type(c_ptr), value :: destination
      integer(c_int), value :: most_rows
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_motion_plan_to_json(plan, source, destination, text) &
      bind(c, name='wherry_motion_plan_to_json') result(status_)
      import
      type(c_ptr), value :: plan
      type(c_ptr), value :: source
      type(c_ptr), value :: destination
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_mover_create(comm, movement_count, movements, options, result) &
      bind(c, name='wherry_mover_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: movement_count
      type(c_ptr), value :: movements
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_mover_start_with(exchange, count, arrays) &
      bind(c, name='wherry_mover_start_with') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
      integer(c_int) :: status_
    end function
    function c_mover_start_in_parts_with(exchange, count, arrays) &
      bind(c, name='wherry_mover_start_in_parts_with') result(status_)
      import
      type(c_ptr), value :: exchange
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
      integer(c_int) :: status_
    end function
    function c_ghost_filler_create(array, space, options, result) &
      bind(c, name='wherry_ghost_filler_create') result(status_)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: space
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_redistribute(from, to, space) &
      bind(c, name='wherry_redistribute') result(status_)
      import
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(c_ptr), value :: space
      integer(c_int) :: status_
    end function
    function c_halo_exchange_create_on_plan(comm, plan, space, box_count, field_count, fields, options, result) &
      bind(c, name='wherry_halo_exchange_create_on_plan') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      type(c_ptr), value :: space
      integer(c_int), value :: box_count
      integer(c_int), value :: field_count
      type(c_ptr), value :: fields
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_published_layouts_create(comm, exchange, options, result) &
      bind(c, name='wherry_published_layouts_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: exchange
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_published_layouts_free(layouts) &
      bind(c, name='wherry_published_layouts_free') result(status_)
      import
      type(c_ptr), intent(inout) :: layouts
      integer(c_int) :: status_
    end function
    function c_published_layouts_publish(layouts, count, arrays, seconds, done) &
      bind(c, name='wherry_published_layouts_publish') result(status_)
      import
      type(c_ptr), value :: layouts
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_published_layouts_read(layouts, count, arrays, seconds, done) &
      bind(c, name='wherry_published_layouts_read') result(status_)
      import
      type(c_ptr), value :: layouts
      integer(c_int), value :: count
      type(c_ptr), value :: arrays
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_published_layouts_await_readers(layouts, seconds, done) &
      bind(c, name='wherry_published_layouts_await_readers') result(status_)
      import
      type(c_ptr), value :: layouts
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_published_layouts_explain(layouts, text) &
      bind(c, name='wherry_published_layouts_explain') result(status_)
      import
      type(c_ptr), value :: layouts
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_published_layouts_transport(layouts, text) &
      bind(c, name='wherry_published_layouts_transport') result(status_)
      import
      type(c_ptr), value :: layouts
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_published_layouts_statistics(layouts, result) &
      bind(c, name='wherry_published_layouts_statistics') result(status_)
      import
      type(c_ptr), value :: layouts
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_passive_messages_create(comm, options, result) &
      bind(c, name='wherry_passive_messages_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_passive_messages_free(messages) &
      bind(c, name='wherry_passive_messages_free') result(status_)
      import
      type(c_ptr), intent(inout) :: messages
      integer(c_int) :: status_
    end function
    function c_passive_messages_send(messages, to, data, bytes, seconds, done) &
      bind(c, name='wherry_passive_messages_send') result(status_)
      import
      type(c_ptr), value :: messages
      integer(c_int), value :: to
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_passive_messages_receive(messages, into, room, seconds, from, bytes) &
      bind(c, name='wherry_passive_messages_receive') result(status_)
      import
      type(c_ptr), value :: messages
      type(c_ptr), value :: into
      integer(c_int64_t), value :: room
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: from
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int) :: status_
    end function
    function c_passive_messages_explain(messages, text) &
      bind(c, name='wherry_passive_messages_explain') result(status_)
      import
      type(c_ptr), value :: messages
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_passive_messages_transport(messages, text) &
      bind(c, name='wherry_passive_messages_transport') result(status_)
      import
      type(c_ptr), value :: messages
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_passive_messages_statistics(messages, result) &
      bind(c, name='wherry_passive_messages_statistics') result(status_)
      import
      type(c_ptr), value :: messages
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_rank_group_create(comm, name, result) &
      bind(c, name='wherry_rank_group_create') result(status_)
      import
      type(c_ptr), value :: comm
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_rank_group_free(group) &
      bind(c, name='wherry_rank_group_free') result(status_)
      import
      type(c_ptr), intent(inout) :: group
      integer(c_int) :: status_
    end function
    function c_rank_group_add(group, rank) &
      bind(c, name='wherry_rank_group_add') result(status_)
      import
      type(c_ptr), value :: group
      integer(c_int), value :: rank
      integer(c_int) :: status_
    end function
    function c_rank_group_ranks(group, ranks, count, index) &
      bind(c, name='wherry_rank_group_ranks') result(status_)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: ranks
      integer(c_int), intent(inout) :: count
      integer(c_int), intent(inout) :: index
      integer(c_int) :: status_
    end function
    function c_rank_group_commit(group, seconds, done) &
      bind(c, name='wherry_rank_group_commit') result(status_)
      import
      type(c_ptr), value :: group
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_rank_group_committed(group, committed) &
      bind(c, name='wherry_rank_group_committed') result(status_)
      import
      type(c_ptr), value :: group
      integer(c_int), intent(inout) :: committed
      integer(c_int) :: status_
    end function
    function c_rank_group_barrier(group, seconds, done) &
      bind(c, name='wherry_rank_group_barrier') result(status_)
      import
      type(c_ptr), value :: group
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_rank_group_allreduce(group, in, out, count, type, how, seconds, done) &
      bind(c, name='wherry_rank_group_allreduce') result(status_)
      import
      type(c_ptr), value :: group
      type(c_ptr), value :: in
      type(c_ptr), value :: out
      integer(c_int64_t), value :: count
      integer(c_int32_t), value :: type
      type(c_ptr), value :: how
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_rank_group_explain(group, text) &
      bind(c, name='wherry_rank_group_explain') result(status_)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_rank_group_transport(group, text) &
      bind(c, name='wherry_rank_group_transport') result(status_)
      import
      type(c_ptr), value :: group
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_rank_group_statistics(group, result) &
      bind(c, name='wherry_rank_group_statistics') result(status_)
      import
      type(c_ptr), value :: group
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_health(comm, rank, alive) &
      bind(c, name='wherry_health') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: rank
      integer(c_int), intent(inout) :: alive
      integer(c_int) :: status_
    end function
    function c_take_for_dead(comm, rank) &
      bind(c, name='wherry_take_for_dead') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: rank
      integer(c_int) :: status_
    end function
    function c_ping(comm, rank, seconds, alive) &
      bind(c, name='wherry_ping') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: rank
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: alive
      integer(c_int) :: status_
    end function
    function c_end_rank(comm, rank, seconds, ended) &
      bind(c, name='wherry_end_rank') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: rank
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: ended
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
    function c_particle_exchange_create_on_plan(comm, plan, cells, space, options, result) &
      bind(c, name='wherry_particle_exchange_create_on_plan') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
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
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      type(c_wherry_particle_move), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_particle_exchange_start(exchange, choice, array_count, arrays) &
      bind(c, name='wherry_particle_exchange_start') result(status_)
      import
      type(c_ptr), value :: exchange
      type(c_ptr), value :: choice
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
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
      type(c_wherry_particle_move), target, intent(inout) :: result
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
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
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
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_fill_positions(ghosts, positions, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_fill_positions') result(status_)
      import
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: positions
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_sum_back(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_sum_back') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_fill(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_fill') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_fill_positions(ghosts, positions, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_fill_positions') result(status_)
      import
      type(c_ptr), value :: ghosts
      type(c_ptr), value :: positions
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_start_sum_back(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_start_sum_back') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
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
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_ghost_particles_drop(ghosts, array_count, arrays) &
      bind(c, name='wherry_ghost_particles_drop') result(status_)
      import
      type(c_ptr), value :: ghosts
      integer(c_int), value :: array_count
      type(c_wherry_particle_array), target, intent(inout) :: arrays(*)
      integer(c_int) :: status_
    end function
    function c_segment_create(comm, bytes, options, result) &
      bind(c, name='wherry_segment_create') result(status_)
      import
      type(c_ptr), value :: comm
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_create_in(comm, memory, bytes, options, result) &
      bind(c, name='wherry_segment_create_in') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: memory
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_free(segment) &
      bind(c, name='wherry_segment_free') result(status_)
      import
      type(c_ptr), intent(inout) :: segment
      integer(c_int) :: status_
    end function
    function c_segment_memory(segment, memory, bytes) &
      bind(c, name='wherry_segment_memory') result(status_)
      import
      type(c_ptr), value :: segment
      type(c_ptr), intent(inout) :: memory
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int) :: status_
    end function
    function c_segment_memory_of(segment, rank, memory, bytes) &
      bind(c, name='wherry_segment_memory_of') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      type(c_ptr), intent(inout) :: memory
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int) :: status_
    end function
    function c_segment_is_aligned(segment, rank, aligned) &
      bind(c, name='wherry_segment_is_aligned') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int), intent(inout) :: aligned
      integer(c_int) :: status_
    end function
    function c_segment_notifications(segment, count) &
      bind(c, name='wherry_segment_notifications') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status_
    end function
    function c_segment_write(segment, to, at, data, bytes, queue) &
      bind(c, name='wherry_segment_write') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int64_t), value :: at
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: queue
      integer(c_int) :: status_
    end function
    function c_segment_read(segment, from, at, into, bytes, queue) &
      bind(c, name='wherry_segment_read') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int64_t), value :: at
      type(c_ptr), value :: into
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: queue
      integer(c_int) :: status_
    end function
    function c_segment_notify(segment, to, id, value) &
      bind(c, name='wherry_segment_notify') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int) :: status_
    end function
    function c_segment_write_notify(segment, to, at, data, bytes, id, value) &
      bind(c, name='wherry_segment_write_notify') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int64_t), value :: at
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int) :: status_
    end function
    function c_segment_read_notify(segment, from, at, into, bytes, id, value) &
      bind(c, name='wherry_segment_read_notify') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int64_t), value :: at
      type(c_ptr), value :: into
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int) :: status_
    end function
    function c_segment_write_in_pieces(segment, to, at, data, bytes, id) &
      bind(c, name='wherry_segment_write_in_pieces') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int64_t), value :: at
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      integer(c_int) :: status_
    end function
    function c_segment_copy_out(segment, at, into, bytes, id, seconds, done) &
      bind(c, name='wherry_segment_copy_out') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int64_t), value :: at
      type(c_ptr), value :: into
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_flush(segment, seconds, done) &
      bind(c, name='wherry_segment_flush') result(status_)
      import
      type(c_ptr), value :: segment
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_write_list(segment, to, count, pieces, queue) &
      bind(c, name='wherry_segment_write_list') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      type(c_ptr), value :: queue
      integer(c_int) :: status_
    end function
    function c_segment_read_list(segment, from, count, pieces, queue) &
      bind(c, name='wherry_segment_read_list') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      type(c_ptr), value :: queue
      integer(c_int) :: status_
    end function
    function c_segment_write_list_notify(segment, to, count, pieces, id, value) &
      bind(c, name='wherry_segment_write_list_notify') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int) :: status_
    end function
    function c_segment_read_list_notify(segment, from, count, pieces, id, value) &
      bind(c, name='wherry_segment_read_list_notify') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int) :: status_
    end function
    function c_segment_notify_list(segment, count, notices) &
      bind(c, name='wherry_segment_notify_list') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: count
      type(c_ptr), value :: notices
      integer(c_int) :: status_
    end function
    function c_segment_notify_within(segment, to, id, value, seconds, done) &
      bind(c, name='wherry_segment_notify_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_notify_list_within(segment, count, notices, seconds, sent) &
      bind(c, name='wherry_segment_notify_list_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: count
      type(c_ptr), value :: notices
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: sent
      integer(c_int) :: status_
    end function
    function c_segment_write_notify_within(segment, to, at, data, bytes, id, value, seconds, done) &
      bind(c, name='wherry_segment_write_notify_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int64_t), value :: at
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_read_notify_within(segment, from, at, into, bytes, id, value, seconds, done) &
      bind(c, name='wherry_segment_read_notify_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int64_t), value :: at
      type(c_ptr), value :: into
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_write_list_notify_within(segment, to, count, pieces, id, value, seconds, done) &
      bind(c, name='wherry_segment_write_list_notify_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_read_list_notify_within(segment, from, count, pieces, id, value, seconds, done) &
      bind(c, name='wherry_segment_read_list_notify_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: from
      integer(c_int), value :: count
      type(c_ptr), value :: pieces
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_write_in_pieces_within(segment, to, at, data, bytes, id, seconds, done) &
      bind(c, name='wherry_segment_write_in_pieces_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int64_t), value :: at
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int), value :: id
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_is_notifying(segment, to, id, value, notifying) &
      bind(c, name='wherry_segment_is_notifying') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: to
      integer(c_int), value :: id
      integer(c_int32_t), value :: value
      integer(c_int), intent(inout) :: notifying
      integer(c_int) :: status_
    end function
    function c_segment_wait_some(segment, first, count, seconds, id) &
      bind(c, name='wherry_segment_wait_some') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: first
      integer(c_int), value :: count
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: id
      integer(c_int) :: status_
    end function
    function c_segment_wait(segment, id, seconds, value) &
      bind(c, name='wherry_segment_wait') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: id
      real(c_double), value :: seconds
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_value(segment, id, value) &
      bind(c, name='wherry_segment_value') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: id
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_reset(segment, id, value) &
      bind(c, name='wherry_segment_reset') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: id
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_wait_some_of(segment, rank, first, count, seconds, id) &
      bind(c, name='wherry_segment_wait_some_of') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int), value :: first
      integer(c_int), value :: count
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: id
      integer(c_int) :: status_
    end function
    function c_segment_wait_of(segment, rank, id, seconds, value) &
      bind(c, name='wherry_segment_wait_of') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int), value :: id
      real(c_double), value :: seconds
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_value_of(segment, rank, id, value) &
      bind(c, name='wherry_segment_value_of') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int), value :: id
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_reset_of(segment, rank, id, value) &
      bind(c, name='wherry_segment_reset_of') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int), value :: id
      integer(c_int32_t), intent(inout) :: value
      integer(c_int) :: status_
    end function
    function c_segment_word(segment, id, word) &
      bind(c, name='wherry_segment_word') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: id
      type(c_ptr), intent(inout) :: word
      integer(c_int) :: status_
    end function
    function c_segment_fetch_add(segment, on, at, value, old) &
      bind(c, name='wherry_segment_fetch_add') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: on
      integer(c_int64_t), value :: at
      integer(c_int64_t), value :: value
      integer(c_int64_t), intent(inout) :: old
      integer(c_int) :: status_
    end function
    function c_segment_compare_swap(segment, on, at, expected, desired, old) &
      bind(c, name='wherry_segment_compare_swap') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: on
      integer(c_int64_t), value :: at
      integer(c_int64_t), value :: expected
      integer(c_int64_t), value :: desired
      integer(c_int64_t), intent(inout) :: old
      integer(c_int) :: status_
    end function
    function c_segment_fetch_add_within(segment, on, at, value, seconds, done, old) &
      bind(c, name='wherry_segment_fetch_add_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: on
      integer(c_int64_t), value :: at
      integer(c_int64_t), value :: value
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int64_t), intent(inout) :: old
      integer(c_int) :: status_
    end function
    function c_segment_compare_swap_within(segment, on, at, expected, desired, seconds, done, old) &
      bind(c, name='wherry_segment_compare_swap_within') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: on
      integer(c_int64_t), value :: at
      integer(c_int64_t), value :: expected
      integer(c_int64_t), value :: desired
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int64_t), intent(inout) :: old
      integer(c_int) :: status_
    end function
    function c_segment_explain(segment, text) &
      bind(c, name='wherry_segment_explain') result(status_)
      import
      type(c_ptr), value :: segment
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_segment_transport(segment, text) &
      bind(c, name='wherry_segment_transport') result(status_)
      import
      type(c_ptr), value :: segment
      type(c_ptr), intent(inout) :: text
      integer(c_int) :: status_
    end function
    function c_segment_statistics(segment, result) &
      bind(c, name='wherry_segment_statistics') result(status_)
      import
      type(c_ptr), value :: segment
      type(c_wherry_statistics), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_queue_create(result) &
      bind(c, name='wherry_segment_queue_create') result(status_)
      import
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_queue_free(queue) &
      bind(c, name='wherry_segment_queue_free') result(status_)
      import
      type(c_ptr), intent(inout) :: queue
      integer(c_int) :: status_
    end function
    function c_segment_queue_size(queue, size) &
      bind(c, name='wherry_segment_queue_size') result(status_)
      import
      type(c_ptr), value :: queue
      integer(c_int64_t), intent(inout) :: size
      integer(c_int) :: status_
    end function
    function c_segment_queue_wait(queue, seconds, done) &
      bind(c, name='wherry_segment_queue_wait') result(status_)
      import
      type(c_ptr), value :: queue
      real(c_double), value :: seconds
      integer(c_int), intent(inout) :: done
      integer(c_int) :: status_
    end function
    function c_segment_queue_purge(queue) &
      bind(c, name='wherry_segment_queue_purge') result(status_)
      import
      type(c_ptr), value :: queue
      integer(c_int) :: status_
    end function
    function c_segment_space_create(comm, name, result) &
      bind(c, name='wherry_segment_space_create') result(status_)
      import
      type(c_ptr), value :: comm
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_space_free(space) &
      bind(c, name='wherry_segment_space_free') result(status_)
      import
      type(c_ptr), intent(inout) :: space
      integer(c_int) :: status_
    end function
    function c_segment_space_is_one_node(space, one_node) &
      bind(c, name='wherry_segment_space_is_one_node') result(status_)
      import
      type(c_ptr), value :: space
      integer(c_int), intent(inout) :: one_node
      integer(c_int) :: status_
    end function
    function c_segment_create_in_space(space, options, result) &
      bind(c, name='wherry_segment_create_in_space') result(status_)
      import
      type(c_ptr), value :: space
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_segment_offer(segment, memory, bytes, ticket) &
      bind(c, name='wherry_segment_offer') result(status_)
      import
      type(c_ptr), value :: segment
      type(c_ptr), value :: memory
      integer(c_int64_t), value :: bytes
      type(c_wherry_segment_ticket), target, intent(inout) :: ticket
      integer(c_int) :: status_
    end function
    function c_segment_withdraw(segment) &
      bind(c, name='wherry_segment_withdraw') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int) :: status_
    end function
    function c_segment_meet(segment, rank, theirs) &
      bind(c, name='wherry_segment_meet') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      type(c_ptr), value :: theirs
      integer(c_int) :: status_
    end function
    function c_segment_forget(segment, rank) &
      bind(c, name='wherry_segment_forget') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), value :: rank
      integer(c_int) :: status_
    end function
    function c_segment_has_part(segment, has) &
      bind(c, name='wherry_segment_has_part') result(status_)
      import
      type(c_ptr), value :: segment
      integer(c_int), intent(inout) :: has
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
      type(c_wherry_view), target, intent(inout) :: all
      integer(c_int) :: status_
    end function
    function c_arrivals_from(arrivals, rank, elements) &
      bind(c, name='wherry_arrivals_from') result(status_)
      import
      type(c_ptr), value :: arrivals
      integer(c_int), value :: rank
      type(c_wherry_view), target, intent(inout) :: elements
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
    function c_x_array_create(comm, plan, type, options, result) &
      bind(c, name='wherry_x_array_create') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      integer(c_int32_t), value :: type
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_x_array_create_over(comm, plan, type, grid_count, grids, options, result) &
      bind(c, name='wherry_x_array_create_over') result(status_)
      import
      type(c_ptr), value :: comm
      type(c_ptr), value :: plan
      integer(c_int32_t), value :: type
      integer(c_int), value :: grid_count
      type(c_ptr), value :: grids
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_x_array_free(array) &
      bind(c, name='wherry_x_array_free') result(status_)
      import
      type(c_ptr), intent(inout) :: array
      integer(c_int) :: status_
    end function
    function c_x_array_shape(array, dimensions, blocks, components, type) &
      bind(c, name='wherry_x_array_shape') result(status_)
      import
      type(c_ptr), value :: array
      integer(c_int), intent(inout) :: dimensions
      integer(c_int), intent(inout) :: blocks
      integer(c_int), intent(inout) :: components
      integer(c_int32_t), intent(inout) :: type
      integer(c_int) :: status_
    end function
    function c_x_array_block(array, index, result) &
      bind(c, name='wherry_x_array_block') result(status_)
      import
      type(c_ptr), value :: array
      integer(c_int), value :: index
      type(c_wherry_block), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_x_array_find(array, number, result) &
      bind(c, name='wherry_x_array_find') result(status_)
      import
      type(c_ptr), value :: array
      integer(c_int), value :: number
      type(c_wherry_block), target, intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_x_array_plan(array, result) &
      bind(c, name='wherry_x_array_plan') result(status_)
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: result
      integer(c_int) :: status_
    end function
    function c_x_array_adopt(array, plan) &
      bind(c, name='wherry_x_array_adopt') result(status_)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: plan
      integer(c_int) :: status_
    end function
  end interface
end module
