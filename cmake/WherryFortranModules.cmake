# wherry_fortran_modules(name sources modules): a library of the Fortran modules in the folder `sources`, compiled by this
# project's compiler, as no compiler reads another's modules. `modules` is the folder for what it writes.
include(CheckFortranSourceCompiles)

function(wherry_fortran_modules name sources modules)
  set(list wherry_constants generated/wherry_interface wherry_errors generated/wherry_handles wherry_view_types
    generated/wherry_views_integer generated/wherry_views_real generated/wherry_views_complex
    generated/wherry_views_logical generated/wherry_views_character wherry_memory generated/wherry_memory_integer
    generated/wherry_memory_real generated/wherry_memory_complex generated/wherry_memory_logical wherry_communicators
    wherry_grids wherry_options wherry_exchanges wherry_halos wherry_shapes generated/wherry_associate_integer
    generated/wherry_associate_real generated/wherry_associate_complex generated/wherry_associate_logical wherry_indices
    wherry_layers wherry_sparse wherry_boxes wherry_floor_plans wherry_x_arrays wherry_motion_plans wherry_movers
    wherry_levels wherry_array_files wherry_particle_arrays wherry_particles wherry_particle_ghosts
    wherry_time_limits wherry_segments wherry_published wherry_passive wherry_rank_groups wherry)
  # Not every compiler has this kind, and some have the same as C's double.
  check_fortran_source_compiles("program p
    use, intrinsic :: iso_c_binding
    real(c_long_double) :: x
    integer(selected_int_kind(merge(9, 99, c_long_double /= c_double))) :: n
  end program" WHERRY_FORTRAN_HAS_LONG_DOUBLE SRC_EXT f90)
  if(WHERRY_FORTRAN_HAS_LONG_DOUBLE)
    list(APPEND list generated/wherry_c_long_double)
  endif()
  if(MPI_Fortran_HAVE_F08_MODULE AND TARGET MPI::MPI_Fortran)
    list(APPEND list wherry_mpi_f08)
  endif()
  list(TRANSFORM list PREPEND "${sources}/")
  list(TRANSFORM list APPEND ".f90")
  add_library(${name} STATIC ${list})
  set_target_properties(${name} PROPERTIES Fortran_MODULE_DIRECTORY "${modules}")
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${modules}>")
  if(TARGET MPI::MPI_Fortran)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:MPI::MPI_Fortran>)
  endif()
endfunction()
