// The process grids that a number of ranks can form.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/halo/process_grid.hpp"

namespace planning {

/// All extents whose product is `ranks`, where no extent is larger than the number of cells that it cuts.
std::vector<std::vector<int>> grids_of(int ranks, const std::vector<std::int64_t>& cells);

/// The number of cells around the largest box of such a grid, across faces that have a neighbour. A rank sends about as
/// much.
std::int64_t surface_of(const std::vector<int>& grid, const std::vector<std::int64_t>& cells,
                        const std::vector<bool>& periodic);

/// The rank of a box by its number, in which dimension 0 is fastest.
int rank_of_box(int number, const wherry::detail::rank_placement& placed);

}  // namespace planning
