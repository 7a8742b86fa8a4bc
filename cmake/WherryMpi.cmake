# Finds one MPI, makes sure that it is one, and tells how to launch programs with it.
find_package(Threads REQUIRED)

# A bare wrapper name (as the preset mpich has it) becomes a full path.
if(MPI_CXX_COMPILER AND NOT IS_ABSOLUTE "${MPI_CXX_COMPILER}")
  find_program(wherry_mpi_cxx "${MPI_CXX_COMPILER}" REQUIRED)
  set(MPI_CXX_COMPILER "${wherry_mpi_cxx}" CACHE FILEPATH "MPI compiler for C++" FORCE)
  unset(MPI_C_COMPILER CACHE)
endif()
# Debian keeps several MPIs in one folder, told apart by a suffix; FindMPI would pair mpicxx.mpich with Open MPI's mpiexec.
if(MPI_CXX_COMPILER MATCHES "\\.(openmpi|mpich)$" AND NOT MPIEXEC_EXECUTABLE)
  get_filename_component(wherry_mpi_folder "${MPI_CXX_COMPILER}" DIRECTORY)
  find_program(MPIEXEC_EXECUTABLE "mpiexec.${CMAKE_MATCH_1}" HINTS "${wherry_mpi_folder}")
endif()
if(MPI_CXX_COMPILER MATCHES "^(.*)mpi(cxx|c\\+\\+)(\\.[a-z]+)?$" AND NOT MPI_C_COMPILER)
  set(wherry_mpi_c "${CMAKE_MATCH_1}mpicc${CMAKE_MATCH_3}")
  if(EXISTS "${wherry_mpi_c}")
    set(MPI_C_COMPILER "${wherry_mpi_c}" CACHE FILEPATH "MPI compiler for C")
  endif()
endif()
find_package(MPI 3.1 REQUIRED COMPONENTS C CXX)

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
