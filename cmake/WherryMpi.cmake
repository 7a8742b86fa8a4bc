# Finds one MPI, makes sure that it is one, and tells how to launch programs with it.
find_package(Threads REQUIRED)

include(WherryMpiWrappers)

# A bare wrapper name (as the preset mpich has it) becomes a full path.
foreach(language IN ITEMS C CXX)
  if(MPI_${language}_COMPILER AND NOT IS_ABSOLUTE "${MPI_${language}_COMPILER}")
    find_program(wherry_mpi_${language} "${MPI_${language}_COMPILER}" REQUIRED)
    set(MPI_${language}_COMPILER "${wherry_mpi_${language}}" CACHE FILEPATH "MPI compiler for ${language}" FORCE)
  endif()
endforeach()
# One wrapper names the other.
foreach(pair IN ITEMS "CXX;C" "C;CXX")
  list(GET pair 0 known)
  list(GET pair 1 wanted)
  wherry_wrapper_beside(wherry_wrapper "${MPI_${known}_COMPILER}" ${wanted})
  if(wherry_wrapper AND NOT MPI_${wanted}_COMPILER)
    set(MPI_${wanted}_COMPILER "${wherry_wrapper}" CACHE FILEPATH "MPI compiler for ${wanted}")
  endif()
endforeach()
# Programs are launched by the mpiexec that lies beside the wrapper. Debian keeps several MPIs in one folder, told apart by a suffix.
if(NOT MPIEXEC_EXECUTABLE)
  set(wherry_wrapper "${MPI_CXX_COMPILER}")
  if(NOT wherry_wrapper)
    set(wherry_wrapper "${CMAKE_CXX_COMPILER}")  # which may be one
  endif()
  if(wherry_wrapper MATCHES "^(.*)/mpi[a-zA-Z+]+([^/]*)$")
    find_program(MPIEXEC_EXECUTABLE NAMES "mpiexec${CMAKE_MATCH_2}" "mpirun${CMAKE_MATCH_2}" PATHS "${CMAKE_MATCH_1}" NO_DEFAULT_PATH)
  endif()
endif()
# Nobody here uses MPI-2's C++ bindings: an MPI that is named by flags need not have their library.
if(NOT DEFINED MPI_CXX_SKIP_MPICXX AND NOT TARGET MPI::MPI_CXX)
  set(MPI_CXX_SKIP_MPICXX ON)
endif()
find_package(MPI 3.1 REQUIRED COMPONENTS C CXX)
foreach(language IN ITEMS C CXX)
  wherry_mpi_header_dir(${language})
endforeach()

# A wheel's MPI for one language and the system's for another links, then crashes: stop here instead.
if(NOT "${MPI_C_HEADER_DIR}" STREQUAL "${MPI_CXX_HEADER_DIR}")
  message(FATAL_ERROR
    "C and C++ use different MPIs:\n  C    ${MPI_C_HEADER_DIR}\n  C++  ${MPI_CXX_HEADER_DIR}\n"
    "Give both wrappers: -DMPI_C_COMPILER=... -DMPI_CXX_COMPILER=... (./run does)")
endif()

set(wherry_family other)
if(EXISTS "${MPI_CXX_HEADER_DIR}/mpi.h")
  file(STRINGS "${MPI_CXX_HEADER_DIR}/mpi.h" wherry_mpi_lines
       REGEX "define[ \t]+(OMPI_MAJOR_VERSION|MPICH_VERSION)[ \t]")
  if(wherry_mpi_lines MATCHES "OMPI_MAJOR_VERSION[ \t]+([0-9]+)")
    set(wherry_family "openmpi-${CMAKE_MATCH_1}")
  elseif(wherry_mpi_lines MATCHES "MPICH_VERSION[ \t]+\"([0-9]+)")
    set(wherry_family "mpich-${CMAKE_MATCH_1}")
  elseif(EXISTS "${MPI_CXX_HEADER_DIR}/smpi.h")
    set(wherry_family "simgrid-3")
    include(WherrySimgrid)
  endif()
endif()
set(WHERRY_MPI_FAMILY "${wherry_family}" CACHE STRING "openmpi-4, openmpi-5, mpich-4, mpich-5, simgrid-3 or other" FORCE)

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE python3)
endif()
# The prefix of every launch of this build tree; `-n RANKS program arguments` follow.
set(WHERRY_LAUNCH "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/launch"
                  --family "${WHERRY_MPI_FAMILY}" --mpiexec "${MPIEXEC_EXECUTABLE}")

if(WHERRY_BUILD_TESTS AND WHERRY_MPI_FAMILY MATCHES "^mpich-[34]$" AND NOT WHERRY_SANITIZE)  # else see tests/harness
  set(WHERRY_YIELD_LIBRARY "${PROJECT_BINARY_DIR}/libwherry_yield_in_ucx.so")
  list(APPEND WHERRY_LAUNCH --preload-when-crowded "${WHERRY_YIELD_LIBRARY}")
endif()

if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "MPI: ${WHERRY_MPI_FAMILY}, headers in ${MPI_CXX_HEADER_DIR}, launched by ${MPIEXEC_EXECUTABLE}")
endif()
