/// @file
/// The ready-made motion builders between boxes: halo updates, redistributions, transpositions, and motions between
/// levels of refinement.
///
///     wherry::mover fill_ghosts(wherry::halo_motion(plan, widths, space), u, u);
///     wherry::mover by_dimension(wherry::halo_stages(plan, widths, space), u, u);
///     wherry::mover move(wherry::redistribution(u.plan(), v.plan()), u, v);
///     wherry::mover turn(wherry::transposition(u.plan(), v.plan(), {1, 0, 2}), u, v);
///
/// All functions are local and make no MPI call. A builder's cost is nearly linear in the number of pairs of boxes that
/// touch. For any other motion list the entries in a `motion_plan` or write a `motion_builder`. For one box a rank on a
/// process grid, `halo_exchange` is simpler.
#pragma once

#include <vector>

#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/geometry/stencil_shape.hpp"
#include "wherry/motion/motion_builder.hpp"
#include "wherry/motion/motion_plan.hpp"

namespace wherry {

/// A motion builder between boxes.
template <int N> using box_motions = plans::motion_builder<motion_plan<N>>;

/// Fills the ghost cells within `widths` of every box from the boxes that hold these cells, periodic images included.
/// Boxes should not overlap. This is figure 4 of KeLP, with a hash grid instead of a comparison of all pairs.
/// @param stencil the ghost cells to fill: all, or only those across faces or in listed directions
/// @throws error(argument) for a negative width; when a mover asks for the entries, if a partial plan was not resolved
///         for these widths and this domain.
template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                           const stencil_shape& stencil = stencil_shape::all());

/// Fills the ghost values of an x-array with values on planes (`x_array_options::centring`), and copies each value that
/// several boxes share from its owner (see `centring`) to the others. The boxes of cells must not overlap. A partial
/// plan must have been resolved for `reach_of(widths, on)`: one more than `widths` along dimensions with values on
/// planes.
/// @param stencil the ghost values to fill; shared values are always copied
/// @throws error(argument) as the function for values in cells.
template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const centring<N>& on, const halo_widths<N>& widths,
                           const domain<N>& space, const stencil_shape& stencil = stencil_shape::all());

/// The order in which ghost cells are filled. All orders give the same result.
enum class halo_order {
  /// `wrapped_last` if the stencil and the plan allow it; `direct` otherwise, and if a rank has fields on a device.
  automatic,
  /// One stage: every neighbour sends the cells that it owns.
  direct,
  /// First, the boxes exchange ghost cells with the other boxes in one stage. Then each box that spans a periodic
  /// dimension copies its own opposite edges, in long rows.
  wrapped_last,
  /// Dimension by dimension: two messages in each, and corners travel through face neighbours. A rank's wait ends only
  /// when its neighbours wait or test too.
  by_dimension
};

/// Fills the same ghost cells as `halo_motion`, corners included, in stages: by default along dimension 0, then along
/// dimension 1, and so on. Each stage also sends the ghost cells that earlier stages have filled, so that in 3
/// dimensions 6 messages replace 26.
///
/// The boxes must stand in rows and columns: they must be the pieces of one box that is cut through along planes
/// (`even_blocks`, usually `decompose` without `largest`), and along a periodic dimension that box must span the whole
/// domain. Empty boxes do not count. For any other plan only `direct` is possible, and `automatic` chooses it.
/// @return one builder for each stage; pass the list to a `mover`
/// @throws error(argument) for a negative width, and, unless `order` is `automatic` or `direct`, for a partial plan or
///         one with boxes that do not stand in rows and columns.
template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        halo_order order = halo_order::by_dimension);

/// Moves every cell that a box of `from` has in common with a box of `to`, periodic images included. If the boxes of
/// `to` include ghost cells, these are filled too.
/// @throws error(argument), when a mover asks for the entries, if two partial plans were not resolved together.
template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space);
/// Like `redistribution(from, to, space)`, for a domain that is not periodic.
template <int N> box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to);

/// Moves values on planes: each value that a box of `to` has in common with the values of `from`'s boxes comes from its
/// owner (see `centring`).
/// @param from boxes of cells; partial plans must have been resolved by `resolve(comm, from, on, to, space)`
/// @param to boxes of values (`values_of(cells, on)`), with or without ghost values
template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const centring<N>& on, const floor_plan<N>& to,
                              const domain<N>& space);

/// The floor plan of values that belongs to a floor plan of cells. Neighbouring boxes of the result overlap in the
/// planes between them.
template <int N> floor_plan<N> values_of(const floor_plan<N>& plan, const centring<N>& on);

/// Like `redistribution`, with exchanged axes: cell q of the destination gets the cell p of the source for which
/// p[axes[d]] = q[d].
/// @throws error(argument) if `axes` is not a permutation of the dimensions.
template <int N>
box_motions<N> transposition(const floor_plan<N>& from, const floor_plan<N>& to, const axis_permutation<N>& axes);

/// The boxes of a fine level in the coordinates of a level that is coarser by `ratio`, each grown by `reach` coarse
/// cells, with the same owners. Fine data is interpolated from these cells or averaged to them.
/// @throws error(argument) for a ratio below 1.
template <int N> floor_plan<N> coarsened(const floor_plan<N>& fine, const point<N>& ratio, index_t reach = 0);

}  // namespace wherry
