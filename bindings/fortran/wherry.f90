!> Wherry for Fortran 2008. docs/fortran.md is the manual.
!>
!>     call wherry_communicator_create(MPI_COMM_WORLD, comm)
!>     call wherry_process_grid_create(comm, 2, grid)
!>     call wherry_halo_exchange_create(grid, wherry_field(wherry_view(u), width=1), fill)
!>     call wherry_exchange_start(fill)
!>     ! compute what reads no halo
!>     call wherry_exchange_wait(fill)
module wherry
  use wherry_constants
  use wherry_errors, only: wherry_last_error, wherry_error_rank, wherry_error_peers, wherry_status_name, &
    wherry_require, wherry_version
  use wherry_handles
  use wherry_view_types, only: wherry_view
  use wherry_views_integer
  use wherry_views_real
  use wherry_views_complex
  use wherry_views_logical
  use wherry_views_character
  use wherry_memory, only: wherry_allocate, wherry_free
  use wherry_memory_integer
  use wherry_memory_real
  use wherry_memory_complex
  use wherry_memory_logical
  use wherry_communicators
  use wherry_grids, only: wherry_box, wherry_process_grid_options, wherry_process_grid_create, &
    wherry_process_grid_dimensions, wherry_process_grid_shape, wherry_process_grid_coordinates, &
    wherry_process_grid_rank_at, wherry_owned_box, wherry_owner_of
  use wherry_options, only: WHERRY_MAX_NAME, wherry_carry_options, wherry_reduction, wherry_combine_function
  use wherry_exchanges, only: wherry_statistics, wherry_exchange_start, wherry_exchange_test, wherry_exchange_wait, &
    wherry_exchange_run, wherry_exchange_wait_some, wherry_exchange_abandon, wherry_exchange_start_in_parts, &
    wherry_exchange_ready, wherry_exchange_statistics, wherry_exchange_explain, wherry_exchange_to_json, &
    wherry_exchange_transport
  use wherry_halos, only: wherry_field, wherry_halo_part, wherry_halo_options, wherry_halo_exchange_create, &
    wherry_halo_exchange_only
  use wherry_associate_integer
  use wherry_associate_real
  use wherry_associate_complex
  use wherry_associate_logical
  use wherry_indices, only: wherry_ghost, wherry_peer_indices, wherry_index_part, wherry_index_options, &
    wherry_index_lists_create, wherry_index_lists_create_from_ghosts, wherry_index_lists_create_from_ids, &
    wherry_index_lists_create_from_flat, wherry_index_lists_sends, wherry_index_lists_receives, &
    wherry_index_exchange_create, wherry_index_plan_create, wherry_index_plan_bind, wherry_index_plan_to_json
  use wherry_layers
  use wherry_sparse
  use wherry_boxes, only: wherry_domain, wherry_widths, wherry_make_box, wherry_open_domain, wherry_torus, wherry_same_widths
  use wherry_floor_plans
  use wherry_x_arrays, only: WHERRY_LAYOUT_FORTRAN, WHERRY_LAYOUT_C, wherry_x_array_options, wherry_block, &
    wherry_x_array_create, wherry_x_array_create_over, wherry_x_array_shape, wherry_x_array_block, wherry_x_array_find, &
    wherry_x_array_plan, wherry_x_array_adopt
  use wherry_motion_plans
  use wherry_movers
  use wherry_levels
  use wherry_array_files
  use wherry_particle_arrays, only: WHERRY_ONE_EACH, WHERRY_LENGTHS, WHERRY_VALUES, wherry_particle_array, &
    wherry_positions, wherry_growing_array, wherry_fixed_array, wherry_particle_view, wherry_particle_resize, &
    wherry_particle_free
  use wherry_particles
  use wherry_particle_ghosts
  use wherry_segments
  use wherry_published
  use wherry_passive
  use wherry_rank_groups
  implicit none
  public
end module
