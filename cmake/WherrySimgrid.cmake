# Included by WherryMpi when the MPI is SimGrid's, where all ranks live in one process. ./run test --mpi simgrid comes here.
#
# The simulator loads a copy of the program for each rank, so that each has its own statics: a program is a shared object
# with all of Wherry inside. Without symbols for debuggers, since hundreds of copies are written; and without those symbols
# that a loader makes one of in all copies.
set(BUILD_SHARED_LIBS OFF)
add_compile_options(-fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
endif()
string(APPEND CMAKE_EXE_LINKER_FLAGS " -shared -Wl,--undefined=main,-z,defs -Wl,--strip-debug")
set(WHERRY_INSTALL OFF)
set(WHERRY_BUILD_TOOLS OFF)
set(WHERRY_BUILD_APPS OFF)
set(WHERRY_BUILD_BENCH OFF)
set(WHERRY_SIMULATED_RANKS 256 CACHE STRING "Rank counts for all MPI tests on the simulator")
