# Wherry::wherry: all modules at once. Wherry::compat_NAME: the names of an older system (compat/NAME) over ours.
get_property(wherry_modules GLOBAL PROPERTY WHERRY_MODULES)

add_library(wherry INTERFACE)
add_library(Wherry::wherry ALIAS wherry)
target_compile_features(wherry INTERFACE cxx_std_20)
target_include_directories(wherry INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(wherry INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(wherry INTERFACE MPI::MPI_CXX Threads::Threads)
foreach(module IN LISTS wherry_modules)
  target_link_libraries(wherry INTERFACE Wherry::${module})
endforeach()

set(wherry_compat_targets "")
file(GLOB compat_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/compat/*")
foreach(folder IN LISTS compat_folders)
  if(IS_DIRECTORY "${folder}")
    get_filename_component(name "${folder}" NAME)
    add_library(wherry_compat_${name} INTERFACE)
    add_library(Wherry::compat_${name} ALIAS wherry_compat_${name})
    set_target_properties(wherry_compat_${name} PROPERTIES EXPORT_NAME compat_${name})
    target_include_directories(wherry_compat_${name} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/compat> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wherry_compat>)
    target_link_libraries(wherry_compat_${name} INTERFACE Wherry::wherry)
    list(APPEND wherry_compat_targets wherry_compat_${name})
  endif()
endforeach()
