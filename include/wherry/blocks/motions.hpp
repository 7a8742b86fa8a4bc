/// @file
/// Builders of motion plans: halo update, redistribution, transposition, and motion between levels of refinement.
/// Pure; no MPI. The cost is near linear in the pairs of boxes that touch.
#pragma once

#include "wherry/blocks/motion_plan.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// Build the entries of all ranks.
inline constexpr int every_rank = -1;

/// Which ghost cells a halo update fills.
enum class halo_reach {
  all,   ///< corners and edges too
  faces  ///< only cells beyond exactly one face
};

/// Fills the cells within `widths` of every box from the boxes that hold them, and from periodic images. Boxes should
/// not overlap. Paper 4, figure 4, by a hash grid in place of all pairs.
/// @param rank only the entries this rank takes part in
template <int N>
motion_plan<N> halo_motion(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                           int rank = every_rank, halo_reach reach = halo_reach::all);

/// Every cell that a box of `to` has in common with a box of `from`, periodic images included. With grown boxes in `to`
/// their ghost cells are filled as well.
template <int N>
motion_plan<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space,
                              int rank = every_rank);
/// The same in an open index space.
template <int N>
motion_plan<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, int rank = every_rank);

/// Like `redistribution`, with axes exchanged: destination cell q gets source cell p with p[axes[d]] = q[d].
template <int N>
motion_plan<N> transposition(const floor_plan<N>& from, const floor_plan<N>& to, const axis_permutation<N>& axes,
                             int rank = every_rank);

/// Boxes of a level seen on the level `ratio` times coarser, with the same owners; `reach` more cells around each.
/// Where fine data is to be interpolated from, or averaged to.
template <int N> floor_plan<N> coarsened(const floor_plan<N>& fine, const point<N>& ratio, index_t reach = 0);

}  // namespace wherry
