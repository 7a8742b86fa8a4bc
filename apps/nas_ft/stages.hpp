/// @file
/// The distribution of the field over the ranks while some of its axes are transformed: every rank has these axes
/// whole.
#pragma once

#include <vector>

#include "problem.hpp"

namespace nas_ft {

struct stage {
  wherry::floor_plan<3> blocks;  ///< the same number for each rank, in the order of the ranks
  wherry::layout<3> order;       ///< x is always contiguous, so that long rows move
  int slowest;                   ///< the dimension with the longest stride
  std::vector<int> axes;         ///< the axes that are transformed in this stage
};

/// The numbers of ranks along the two cut dimensions. {1, ranks} means slabs, which move once; all others mean pencils,
/// which move twice.
struct rank_grid {
  int first = 1, second = 1;
  bool slabs() const { return first == 1; }
};

/// Chooses slabs as long as there are as many planes as ranks.
rank_grid choose_grid(const problem& what, int ranks, bool pencils);

/// The stages: the first one is in space, the last one is the spectrum.
/// @param chunks number of blocks of each rank, along the slowest dimension
std::vector<stage> stages_of(const problem& what, const rank_grid& ranks, int chunks);

}  // namespace nas_ft
