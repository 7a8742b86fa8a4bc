/// @file
/// Which implementation of a neighbourhood collective is best, in any topology and at any size.
#pragma once

#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "plot.hpp"

namespace tuning {

/// Ranks do not know each other's sizes there, so that one implementation does all calls of a kind (see `choose`): the
/// one that takes the least in a ring, a grid and a graph, at all these sizes together, is clearly faster than MPI's
/// own in some place, and slower in none: two times of three. Else "mpi".
/// @param found gets a line for each size: the topologies together
std::string best_among_neighbors(wherry::collective::kind what, const std::vector<int>& sizes, double seconds,
                                 std::vector<finding>& found);

}  // namespace tuning
