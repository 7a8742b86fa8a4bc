/// @file
/// Computes parts of a floor plan's boxes: the ghost cells that no box holds, and the cells or values of each box that
/// no other box owns, so that a sum counts each of them once.
///
///     double sum = 0;  // of all nodes, each counted once although neighbouring boxes share planes of them
///     for (const auto& [number, values] : wherry::owned_values(u.plan(), u.shape().centring, space, comm.rank()))
///       for_each_point(values, [&, n = number](const auto& p) { sum += u[n][p]; });
///
/// All functions are local and make no MPI call. Their cost is nearly linear in the number of pairs of boxes that
/// touch.
#pragma once

#include <vector>

#include "wherry/geometry/box_list.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// A part of one box.
template <int N> struct box_part {
  int number;  ///< the box's number in its floor plan
  box<N> cells;
  bool operator==(const box_part&) const = default;
};

/// The ghost cells of `rank`'s boxes that neither a box of the plan nor a periodic image of a box holds. A level of
/// refinement takes these from the coarser level. Cells beyond an edge of the domain that is not periodic are left out,
/// since boundary conditions fill them. The parts are listed box by box and are disjoint. A partial plan must know all
/// boxes that touch the rank's boxes within `widths`.
/// @throws error(argument) for a negative width.
template <int N>
std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>& plan, const halo_widths<N>& widths,
                                          const domain<N>& space, int rank);

/// The boxes of `rank` without the cells that a box with a lower number holds too, so that each point is in one part
/// only. A partial plan must know all boxes that touch the rank's boxes.
template <int N> std::vector<box_part<N>> without_overlap(const floor_plan<N>& plan, int rank);

/// The values that `rank`'s boxes own. Boxes that share a plane share the values on it, and each value has one owner
/// (see `centring`), so that a sum or norm over the owned values counts each value once. The boxes of cells must not
/// overlap. A partial plan must know all boxes that touch the rank's boxes within one cell.
template <int N>
std::vector<box_part<N>> owned_values(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space,
                                      int rank);

namespace detail {

/// The part of `cells` that neither a box of the plan nor a periodic image of a box holds. Cells beyond an edge of the
/// domain that is not periodic are left out.
template <int N>
box_list<N> uncovered(const std::vector<box<N>>& cells, const floor_plan<N>& plan, const domain<N>& space);

}  // namespace detail

}  // namespace wherry
