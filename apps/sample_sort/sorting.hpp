/// @file
/// A distributed sort by regular samples (Shi, Schaeffer: Parallel sorting by regular sampling. J. Parallel Distrib.
/// Comput. 14, 1992), and three ways to write its communication.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sample_sort {

using element = std::uint64_t;

/// Collective. Sorts the ranks' data, so that no rank has a larger element than the next one.
void sort_with_wherry(MPI_Comm comm, std::vector<element>& data);
void sort_with_mpi(MPI_Comm comm, std::vector<element>& data);
/// Only if `has_boost_mpi` is true.
void sort_with_boost_mpi(MPI_Comm comm, std::vector<element>& data);
extern const bool has_boost_mpi;

// The common part of all three ways, without communication.

/// Returns as many samples at even distances as there are ranks, or fewer if there are not as many elements.
std::vector<element> samples_of(const std::vector<element>& sorted, int ranks);
/// The elements at which one rank's part ends and the next one's begins: one fewer than ranks, and none without
/// samples.
std::vector<element> splitters_of(std::vector<element> samples, int ranks);
/// The number of elements that each rank gets.
std::vector<int> counts_between(const std::vector<element>& sorted, const std::vector<element>& splitters, int ranks);

}  // namespace sample_sort
