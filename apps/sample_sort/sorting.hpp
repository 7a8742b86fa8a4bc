/// @file
/// A distributed sort by regular samples (Shi, Schaeffer: Parallel sorting by regular sampling. J. Parallel Distrib.
/// Comput. 14, 1992), and the three ways to write what it communicates.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sample_sort {

using element = std::uint64_t;

/// Collective: afterwards the ranks' data are sorted, and no rank has a larger element than the next one.
void sort_with_wherry(MPI_Comm comm, std::vector<element>& data);
void sort_with_mpi(MPI_Comm comm, std::vector<element>& data);
/// Only where `has_boost_mpi`.
void sort_with_boost_mpi(MPI_Comm comm, std::vector<element>& data);
extern const bool has_boost_mpi;

// What all have in common, without communication.

/// At even distances, so many as there are ranks: fewer where there are not as many.
std::vector<element> samples_of(const std::vector<element>& sorted, int ranks);
/// Where one rank's part ends and the next one's begins: one less than ranks, none without samples.
std::vector<element> splitters_of(std::vector<element> samples, int ranks);
/// How many elements each rank gets.
std::vector<int> counts_between(const std::vector<element>& sorted, const std::vector<element>& splitters, int ranks);

}  // namespace sample_sort
