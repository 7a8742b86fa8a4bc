/// @file
/// Builders: halo update, redistribution, transposition, and motion between levels of refinement. Pure; no MPI. The
/// cost is near linear in the pairs of boxes that touch.
#pragma once

#include <vector>

#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/geometry/stencil_shape.hpp"
#include "wherry/motion/motion_builder.hpp"
#include "wherry/motion/motion_plan.hpp"

namespace wherry {

/// A builder of motions between boxes.
template <int N> using box_motions = motion_builder<motion_plan<N>>;

/// Fills the cells within `widths` of every box from the boxes that hold them, and from periodic images. Boxes should
/// not overlap. Paper 4, figure 4, by a hash grid in place of all pairs.
/// @param stencil which of these cells
/// @throws error(argument) for a negative width.
template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                           const stencil_shape& stencil = stencil_shape::all());

/// The same for values on planes (`x_array_options::on`): besides ghost values it gives what several boxes share to all
/// of them, from the one whose it is (see `centring`). Boxes of cells must not overlap. A partial plan must know what
/// touches the rank's boxes within one more than `widths`. `stencil` is about ghost values.
template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const centring<N>& on, const halo_widths<N>& widths,
                           const domain<N>& space, const stencil_shape& stencil = stencil_shape::all());

/// In which order ghost cells are filled. All give the same.
enum class halo_order {
  automatic,     ///< `wrapped_last` where stencil and plan allow it, but `direct` where a rank has fields on a device
  direct,        ///< one stage: every neighbour sends what it owns
  wrapped_last,  ///< one stage to the other boxes, then copies around axes that wrap to the box itself, in long rows
  by_dimension   ///< x, then y, then z: two messages a dimension, corners by way of others; ranks wait together
};

/// The same ghost cells, corners too, in stages; without a word along dimension 0, then 1, and so on: of each stage's
/// faces, those along later dimensions carry the ghost cells that stages before have filled. In 3 dimensions 6 messages
/// for 26, one after the other. For plans whose boxes stand in rows and columns: together they are what is left when a
/// box is cut right through along some planes (`even_blocks`, `decompose` without a largest box), which along a
/// periodic dimension is the whole of it. Empty boxes do not count. For others there is but `direct`, which `automatic`
/// then is.
///     wherry::mover fill_ghosts(wherry::halo_stages(plan, widths, space), u, u);
/// @throws error(argument) for a negative width, another plan, or a partial one, which cannot be known to be such.
template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        halo_order order = halo_order::by_dimension);

/// Every cell that a box of `to` has in common with a box of `from`, periodic images included. With grown boxes in `to`
/// their ghost cells are filled as well.
template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space);
/// The same in an open index space.
template <int N> box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to);

/// Of values on planes: what a box of `to` has in common with what the boxes of cells of `from` have, each from the one
/// whose it is (see `centring`). The boxes of `to` are of values (`values_of(cells, on)`), grown or not. Partial plans
/// must know what touches the rank's boxes within one cell: `resolve` of a plan itself and of both does that.
template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const centring<N>& on, const floor_plan<N>& to,
                              const domain<N>& space);

/// The boxes of the values that boxes of cells have: what is on planes between them is in several.
template <int N> floor_plan<N> values_of(const floor_plan<N>& plan, const centring<N>& on);

/// Like `redistribution`, with axes exchanged: destination cell q gets source cell p with p[axes[d]] = q[d].
/// @throws error(argument) when the axes are not a permutation of the dimensions.
template <int N>
box_motions<N> transposition(const floor_plan<N>& from, const floor_plan<N>& to, const axis_permutation<N>& axes);

/// Boxes of a level seen on the level `ratio` times coarser, with the same owners; `reach` more cells around each.
/// Where fine data is to be interpolated from, or averaged to.
template <int N> floor_plan<N> coarsened(const floor_plan<N>& fine, const point<N>& ratio, index_t reach = 0);

}  // namespace wherry
