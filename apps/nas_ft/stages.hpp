/// @file
/// How the field lies on the ranks while some of its axes are transformed: those are whole on every rank.
#pragma once

#include <vector>

#include "problem.hpp"

namespace nas_ft {

struct stage {
  wherry::floor_plan<3> blocks;  ///< as many of each rank, in the order of the ranks
  wherry::layout<3> order;       ///< x is always contiguous, so that long rows move
  int slowest;                   ///< the dimension with the longest stride
  std::vector<int> axes;         ///< those that are transformed here
};

/// The ranks along the two cut dimensions. {1, ranks}: slabs, which move once. Else pencils, which move twice.
struct rank_grid {
  int first = 1, second = 1;
  bool slabs() const { return first == 1; }
};

/// Slabs while there are as many planes as ranks.
rank_grid choose_grid(const problem& what, int ranks, bool pencils);

/// In space first, the spectrum last.
/// @param chunks blocks a rank, along the slowest dimension
std::vector<stage> stages_of(const problem& what, const rank_grid& ranks, int chunks);

}  // namespace nas_ft
