/// @file
/// Finds the best implementation of a collective over all circumstances on which a choice cannot depend.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

#include "plot.hpp"

namespace tuning {

/// Returns one implementation for all these sizes and circumstances. The circumstances are a ring, a grid and a graph
/// for neighbourhood collectives, and blocks of even and of uneven lengths for collectives with lists of counts. The
/// chosen implementation takes the least time in all of them together, is clearly faster than MPI's own in some place,
/// and slower in none, in two of three races. If there is none, the result is "mpi". If ranks do not know each other's
/// sizes (see `choose`), `sizes` should be all sizes.
/// @param found gets a line for each size, for all circumstances together
std::string best_in_all_circumstances(wherry::collective::kind what, const std::vector<int>& sizes, double seconds,
                                      std::vector<finding>& found);

}  // namespace tuning
