// In which order ghost cells are filled, for boxes that stand in rows and columns.
#pragma once

#include <vector>

#include "wherry/motion/motions.hpp"

namespace wherry {

/// The dimensions that are filled together, one stage after the other.
using dimension_groups = std::vector<std::vector<int>>;

/// @param wrapped one a dimension: every box goes all around, and so is its own only neighbour along it
dimension_groups halo_groups(halo_order order, const std::vector<bool>& wrapped);

/// Looks how the boxes of a plan stand; where they do not stand in rows and columns `automatic` is `direct`.
/// @throws error(argument) for other orders.
template <int N> dimension_groups halo_groups(const floor_plan<N>& plan, const domain<N>& space, halo_order order);

/// One builder a group. Nobody checks how the boxes stand: the plan may be partial.
/// @param bounds of all boxes
/// @param stencil other than `all()` only where there is one group
template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        const box<N>& bounds, const dimension_groups& groups,
                                        const stencil_shape& stencil = {});

}  // namespace wherry
