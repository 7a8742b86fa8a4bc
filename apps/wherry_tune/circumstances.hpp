/// @file
/// Which implementation of a collective is best, whatever a choice cannot depend on.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

#include "plot.hpp"

namespace tuning {

/// One for all these sizes and circumstances: among neighbours a ring, a grid and a graph; where counts stand in lists,
/// blocks of even and of uneven lengths. It is the one that takes the least in all of them together, is clearly faster
/// than MPI's own in some place, and slower in none: two times of three. Else "mpi". Where ranks do not know each
/// other's sizes (see `choose`) these are all sizes.
/// @param found gets a line for each size: the circumstances together
std::string best_in_all_circumstances(wherry::collective::kind what, const std::vector<int>& sizes, double seconds,
                                      std::vector<finding>& found);

}  // namespace tuning
