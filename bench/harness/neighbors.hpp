/// @file
/// The topologies in which neighbourhood collectives are timed, and MPI's own calls.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace bench::collective {

/// The names "ring" (a grid of one dimension), "grid" (two dimensions, both periodic) and "graph" (each rank sends to
/// the ranks 1, 2, 4, … further on).
inline const std::vector<std::string> topology_names{"ring", "grid", "graph"};
/// @throws usage_error for a topology that does not exist
void check_topologies(const std::vector<std::string>& names);
/// Returns a copy of the communicator with this topology, which the caller frees. Collective.
MPI_Comm with_topology(const std::string& name, MPI_Comm comm);

/// The number of ranks that send to this rank, and the number of ranks to which it sends, in a communicator with one of
/// these topologies.
struct neighbor_counts {
  int sources = 0, destinations = 0;
};
neighbor_counts count_neighbors(MPI_Comm comm);

std::span<const wherry::collective::kind> timed_among_neighbors();
bool is_timed_among_neighbors(wherry::collective::kind what);
/// True if each neighbour gets a block of its own; otherwise all get the same block.
bool has_a_block_for_each(wherry::collective::kind what);
/// Returns the collectives with these names. @throws usage_error for a collective that does not exist, or that cannot
/// be timed here
std::vector<wherry::collective::kind> timed_kinds_of_neighbors(const std::vector<std::string>& names);

/// The lists to which a call of these collectives refers.
struct lists_of_neighbors {
  std::vector<int> counts, places;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

/// Makes a call. `send` has a block for each destination, or one block for all, and `receive` has one for each source,
/// of `count` elements each. The call refers to `lists`, which must outlive it.
wherry::collective::call call_of_neighbors(wherry::collective::kind what, MPI_Comm comm, const double* send,
                                           double* receive, int count, lists_of_neighbors& lists);
void call_mpi_of_neighbors(const wherry::collective::call& c);

}  // namespace bench::collective
