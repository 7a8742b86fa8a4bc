# wherry_precompiled_headers(name FOR tests|programs|library LIBRARIES target... [HEADERS <header>...] [OPTIONS option...]): makes
# `name`, and wherry_precompile(target name): lets target, which must be compiled with the same options, begin with those headers.
#
# A source then compiles in half to three quarters of the time. It hides missing #includes, and what our own headers are warned
# of: where nothing else compiles the library and the programs without, only the tests should have it. ccache and precompiled
# headers do not go together.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(parsed_once OFF)
elseif(WHERRY_BUILD_TESTS)
  set(parsed_once tests)
else()
  set(parsed_once all)  # in users' builds
endif()
set(WHERRY_PRECOMPILED_HEADERS ${parsed_once} CACHE STRING "Whose headers are parsed once: OFF (nobody's), tests, or all")
set_property(CACHE WHERRY_PRECOMPILED_HEADERS PROPERTY STRINGS OFF tests all)
if(NOT WHERRY_PRECOMPILED_HEADERS MATCHES "^(OFF|tests|all)$")
  message(FATAL_ERROR "WHERRY_PRECOMPILED_HEADERS is '${WHERRY_PRECOMPILED_HEADERS}': it may be OFF, tests or all")
endif()

function(wherry_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOR" "LIBRARIES;HEADERS;OPTIONS")
  if(NOT WHERRY_PRECOMPILED_HEADERS MATCHES "^(all|${arg_FOR})$")
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  if(NOT EXISTS "${source}")
    file(WRITE "${source}" "// Only its precompiled headers matter.\n")
  endif()
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  wherry_compile_options(${name})
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <chrono> <cstring> <functional> <iostream> <map> <memory>
    <numeric> <optional> <random> <set> <span> <sstream> <string> <vector> ${arg_HEADERS})
endfunction()

function(wherry_precompile target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# For the library's own sources, those that know of MPI.
function(wherry_precompile_module target)
  set(name wherry_module_headers)
  if(WHERRY_PRECOMPILED_HEADERS STREQUAL "all" AND NOT TARGET ${name})
    wherry_precompiled_headers(${name} FOR library LIBRARIES MPI::MPI_CXX Threads::Threads
      HEADERS <mpi.h> <wherry/core/communicator.hpp> <wherry/core/error.hpp> <wherry/core/mpi.hpp> <wherry/plan/schedule.hpp>)
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
    target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_compile_features(${name} PRIVATE cxx_std_20)
    wherry_library_options(${name})
  endif()
  wherry_precompile(${target} ${name})
endfunction()
