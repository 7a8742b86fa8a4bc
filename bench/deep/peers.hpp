/// @file
/// Everybody we are compared with. A peer that was not there when CMake ran gives nothing and says so in
/// `absent_peers`.
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
contenders cereal(const job<shared_graph>& work);  // it keeps identity for shared_ptr only

contenders hand_written(const job<scene>& work);  // paper 3's two broadcasts, with MPI_Alloc_mem a node

/// Fields in sequence, as zpp_bits would, by hand and with nothing checked; nodes of graphs are taken to know their
/// numbers and the numbers to be dense.
contenders flat_copy(const job<scene>& work);
contenders flat_copy(const job<graph>& work);

/// The same bytes as the structure's, in one piece: packed by memcpy and carried, or carried as they are.
contenders limits(operation what, MPI_Comm comm, const std::string& folder, std::size_t bytes);

/// Whoever makes objects that can be freed one by one does this at least: `operator new` of so many bytes each, where
/// the structure arrives, and nothing else. Gives nothing where none arrives.
contenders allocations_alone(operation what, MPI_Comm comm, std::vector<std::size_t> sizes);

std::vector<left_out> absent_boost();
std::vector<left_out> absent_boost_mpi();
std::vector<left_out> absent_cereal();

}  // namespace bench::deep
