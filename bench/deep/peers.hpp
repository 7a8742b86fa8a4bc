/// @file
/// All peers in the comparison. A peer that CMake did not find returns no contenders and is listed in `absent_peers`.
#pragma once

#include "deep/contender.hpp"
#include "deep/graph.hpp"
#include "deep/scene.hpp"

namespace bench::deep {

contenders boost_serialization(const job<scene>& work);
contenders boost_serialization(const job<graph>& work);

contenders boost_mpi(const job<scene>& work);  // messages only
contenders boost_mpi(const job<graph>& work);

contenders cereal(const job<scene>& work);
contenders cereal(const job<shared_graph>& work);  // cereal keeps identity for shared_ptr only

contenders hand_written(const job<scene>& work);  // MEL's two broadcasts, with MPI_Alloc_mem for each node

/// Copies fields in sequence by hand, as zpp_bits would, without checks. It assumes that the nodes of graphs know their
/// numbers, and that the numbers are dense.
contenders flat_copy(const job<scene>& work);
contenders flat_copy(const job<graph>& work);

/// Carries the structure's bytes in one piece, packed by memcpy or as they are.
contenders limits(operation what, MPI_Comm comm, const std::string& folder, std::size_t bytes);

/// The least work of a method that makes objects which can be freed one by one: an `operator new` for each object where
/// the structure arrives, and nothing else. Does nothing where no structure arrives.
contenders allocations_alone(operation what, MPI_Comm comm, std::vector<std::size_t> sizes);

std::vector<left_out> absent_boost();
std::vector<left_out> absent_boost_mpi();
std::vector<left_out> absent_cereal();

}  // namespace bench::deep
