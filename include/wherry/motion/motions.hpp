/// @file
/// Builders: halo update, redistribution, transposition, and motion between levels of refinement. Pure; no MPI. The
/// cost is near linear in the pairs of boxes that touch.
#pragma once

#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/motion/motion_builder.hpp"
#include "wherry/motion/motion_plan.hpp"

namespace wherry {

/// A builder of motions between boxes.
template <int N> using box_motions = motion_builder<motion_plan<N>>;

/// Which ghost cells a halo update fills.
enum class halo_reach {
  all,   ///< corners and edges too
  faces  ///< only cells beyond exactly one face
};

/// Fills the cells within `widths` of every box from the boxes that hold them, and from periodic images. Boxes should
/// not overlap. Paper 4, figure 4, by a hash grid in place of all pairs.
/// @throws error(argument) for a negative width.
template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                           halo_reach reach = halo_reach::all);

/// The same ghost cells, corners too, filled along dimension 0, then 1, and so on: of each stage's faces, those along
/// later dimensions carry the ghost cells that stages before have filled. In 3 dimensions 6 messages for 26, one after
/// the other. For plans whose boxes stand in rows and columns: together they are what is left when a box is cut
/// right through along some planes (`even_blocks`, `decompose` without a largest box), which along a periodic dimension
/// is the whole of it. Empty boxes do not count.
///     wherry::mover fill_ghosts(wherry::halo_stages(plan, widths, space), u, u);
/// @throws error(argument) for a negative width, another plan, or a partial one, which cannot be known to be such.
template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths,
                                        const domain<N>& space);

/// Every cell that a box of `to` has in common with a box of `from`, periodic images included. With grown boxes in `to`
/// their ghost cells are filled as well.
template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space);
/// The same in an open index space.
template <int N> box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to);

/// Like `redistribution`, with axes exchanged: destination cell q gets source cell p with p[axes[d]] = q[d].
/// @throws error(argument) when the axes are not a permutation of the dimensions.
template <int N>
box_motions<N> transposition(const floor_plan<N>& from, const floor_plan<N>& to, const axis_permutation<N>& axes);

/// Boxes of a level seen on the level `ratio` times coarser, with the same owners; `reach` more cells around each.
/// Where fine data is to be interpolated from, or averaged to.
template <int N> floor_plan<N> coarsened(const floor_plan<N>& fine, const point<N>& ratio, index_t reach = 0);

}  // namespace wherry
