# Boost.Serialization and Boost.MPI, peers of benches and applications: WHERRY_HAS_BOOST_SERIALIZATION, WHERRY_HAS_BOOST_MPI.
find_path(WHERRY_BOOST_INCLUDE boost/serialization/array_wrapper.hpp)
find_library(WHERRY_BOOST_SERIALIZATION boost_serialization)
find_library(WHERRY_BOOST_MPI boost_mpi)
mark_as_advanced(WHERRY_BOOST_INCLUDE WHERRY_BOOST_SERIALIZATION WHERRY_BOOST_MPI)
set(WHERRY_HAS_BOOST_SERIALIZATION OFF)
set(WHERRY_HAS_BOOST_MPI OFF)
if(WHERRY_BOOST_INCLUDE AND WHERRY_BOOST_SERIALIZATION)
  set(WHERRY_HAS_BOOST_SERIALIZATION ON)
  # Debian builds Boost.MPI for its own Open MPI: another MPI beside that one in a program would be two.
  if(WHERRY_BOOST_MPI AND MPI_CXX_INCLUDE_DIRS MATCHES "^/usr/lib/[^;]*openmpi")
    set(WHERRY_HAS_BOOST_MPI ON)
  endif()
endif()
