/// @file
/// Topologies to time neighbourhood collectives in, and MPI's own calls.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace bench::collective {

/// "ring" (a grid of one dimension), "grid" (two, both around), "graph" (each sends to the ranks 1, 2, 4, … further
/// on).
inline const std::vector<std::string> topology_names{"ring", "grid", "graph"};
/// @throws usage_error for one that there is not
void check_topologies(const std::vector<std::string>& names);
/// A copy of the communicator, to be freed. Collective.
MPI_Comm with_topology(const std::string& name, MPI_Comm comm);

/// How many send to this rank, and to how many it sends, in a communicator with one of these.
struct neighbor_counts {
  int sources = 0, destinations = 0;
};
neighbor_counts count_neighbors(MPI_Comm comm);

std::span<const wherry::collective::kind> timed_among_neighbors();
bool is_timed_among_neighbors(wherry::collective::kind what);
/// Else each neighbour gets the same.
bool has_a_block_for_each(wherry::collective::kind what);
/// The collectives of these names. @throws usage_error for one that there is not, or that cannot be timed here
std::vector<wherry::collective::kind> timed_kinds_of_neighbors(const std::vector<std::string>& names);

/// What a call of these refers to.
struct lists_of_neighbors {
  std::vector<int> counts, places;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

/// `send` has a block for each destination, or one, `receive` one for each source, of `count` numbers; `lists` has what
/// the call refers to, and outlives it.
wherry::collective::call call_of_neighbors(wherry::collective::kind what, MPI_Comm comm, const double* send,
                                           double* receive, int count, lists_of_neighbors& lists);
void call_mpi_of_neighbors(const wherry::collective::call& c);

}  // namespace bench::collective
