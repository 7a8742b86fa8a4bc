# Finds GPI-2 (GASPI.h, libGPI2) by pkg-config (GPI2.pc), or in the prefix GPI2_ROOT or GPI2_HOME: GPI2::GPI2. An MPI program
# wants one that was configured with --with-mpi.
find_package(PkgConfig QUIET)
set(GPI2_library_folders "")
set(GPI2_include_folders "")
if(PKG_CONFIG_FOUND)
  pkg_check_modules(GPI2_PC QUIET GPI2)
  set(GPI2_include_folders ${GPI2_PC_INCLUDE_DIRS})
  set(GPI2_library_folders ${GPI2_PC_LIBRARY_DIRS})
endif()
find_path(GPI2_INCLUDE_DIR GASPI.h HINTS ${GPI2_include_folders} ENV GPI2_HOME PATH_SUFFIXES include)
find_library(GPI2_LIBRARY GPI2 HINTS ${GPI2_library_folders} ENV GPI2_HOME PATH_SUFFIXES lib64 lib)
mark_as_advanced(GPI2_INCLUDE_DIR GPI2_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GPI2 REQUIRED_VARS GPI2_LIBRARY GPI2_INCLUDE_DIR VERSION_VAR GPI2_PC_VERSION)

if(GPI2_FOUND AND NOT TARGET GPI2::GPI2)
  add_library(GPI2::GPI2 UNKNOWN IMPORTED)
  set_target_properties(GPI2::GPI2 PROPERTIES IMPORTED_LOCATION "${GPI2_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${GPI2_INCLUDE_DIR}")
  # What it stands on itself (ibverbs, say) its own package knows; this library is named by its path.
  set(GPI2_others ${GPI2_PC_LINK_LIBRARIES} ${GPI2_PC_LDFLAGS_OTHER})
  list(FILTER GPI2_others EXCLUDE REGEX "(^|/)(lib)?GPI2(\\.[a-z0-9.]+)?$")
  list(APPEND GPI2_others ${CMAKE_DL_LIBS} Threads::Threads)
  set_target_properties(GPI2::GPI2 PROPERTIES INTERFACE_LINK_LIBRARIES "${GPI2_others}")
endif()
