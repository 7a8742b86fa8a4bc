# bench_deep_peers: the serialisers that are here, each with its compile definition.
add_library(bench_deep_peers INTERFACE)

include(WherryBoost)
find_path(BENCH_CEREAL_INCLUDE cereal/archives/binary.hpp)

if(WHERRY_HAS_BOOST_SERIALIZATION)
  target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_BOOST)
  target_include_directories(bench_deep_peers SYSTEM INTERFACE "${WHERRY_BOOST_INCLUDE}")
  target_link_libraries(bench_deep_peers INTERFACE "${WHERRY_BOOST_SERIALIZATION}")
  if(WHERRY_HAS_BOOST_MPI)
    target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_BOOST_MPI)
    target_link_libraries(bench_deep_peers INTERFACE "${WHERRY_BOOST_MPI}")
  endif()
endif()
if(BENCH_CEREAL_INCLUDE)
  target_compile_definitions(bench_deep_peers INTERFACE BENCH_WITH_CEREAL)
  target_include_directories(bench_deep_peers SYSTEM INTERFACE "${BENCH_CEREAL_INCLUDE}")
endif()
