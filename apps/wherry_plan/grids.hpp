// Process grids that a number of ranks can make.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/halo/process_grid.hpp"

namespace planning {

/// All extents whose product is `ranks`, none longer than the cells it cuts.
std::vector<std::vector<int>> grids_of(int ranks, const std::vector<std::int64_t>& cells);

/// Cells around the largest box of such a grid, across faces that have a neighbour: how much a rank sends, about.
std::int64_t surface_of(const std::vector<int>& grid, const std::vector<std::int64_t>& cells,
                        const std::vector<bool>& periodic);

/// The rank of a box by its number, of which dimension 0 is fastest.
int rank_of_box(int number, const wherry::rank_placement& placed);

}  // namespace planning
