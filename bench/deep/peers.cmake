# bench_deep_peers: the serialisers that are here, each with its compile definition.
add_library(bench_deep_peers INTERFACE)

find_path(BENCH_BOOST_INCLUDE boost/serialization/array_wrapper.hpp)
find_library(BENCH_BOOST_SERIALIZATION boost_serialization)
find_library(BENCH_BOOST_MPI boost_mpi)
find_path(BENCH_CEREAL_INCLUDE cereal/archives/binary.hpp)

if(BENCH_BOOST_INCLUDE AND BENCH_BOOST_SERIALIZATION)
  target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_BOOST)
  target_include_directories(bench_deep_peers SYSTEM INTERFACE "${BENCH_BOOST_INCLUDE}")
  target_link_libraries(bench_deep_peers INTERFACE "${BENCH_BOOST_SERIALIZATION}")
  # Debian builds Boost.MPI for its own Open MPI: another MPI beside that one in a program would be two.
  if(BENCH_BOOST_MPI AND MPI_CXX_INCLUDE_DIRS MATCHES "^/usr/lib/[^;]*openmpi")
    target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_BOOST_MPI)
    target_link_libraries(bench_deep_peers INTERFACE "${BENCH_BOOST_MPI}")
  endif()
endif()
if(BENCH_CEREAL_INCLUDE)
  target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_CEREAL)
  target_include_directories(bench_deep_peers SYSTEM INTERFACE "${BENCH_CEREAL_INCLUDE}")
endif()
