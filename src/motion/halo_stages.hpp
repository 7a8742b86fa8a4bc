// Divides the filling of ghost cells into stages, for boxes that stand in rows and columns.
#pragma once

#include <vector>

#include "wherry/motion/motions.hpp"

namespace wherry {

/// For each stage, the dimensions along which it fills ghost cells.
using dimension_groups = std::vector<std::vector<int>>;

/// The stages of an order.
/// @param wrapped for each dimension, true if every box spans it and is its own only neighbour
dimension_groups halo_groups(halo_order order, const std::vector<bool>& wrapped);

/// The stages of an order for a plan. If the boxes do not stand in rows and columns, `automatic` becomes `direct`.
/// @throws error(argument) for other orders if the boxes do not stand in rows and columns.
template <int N> dimension_groups halo_groups(const floor_plan<N>& plan, const domain<N>& space, halo_order order);

/// Makes one builder for each stage. The arrangement of the boxes is not checked, so the plan may be partial.
/// @param bounds the bounding box of all boxes
/// @param stencil must be `all()` if there are several stages
template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        const box<N>& bounds, const dimension_groups& groups,
                                        const stencil_shape& stencil = {});

}  // namespace wherry
