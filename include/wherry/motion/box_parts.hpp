/// @file
/// Parts of a floor plan's boxes: what of one no other has. Pure; no MPI. Near linear in the boxes that touch.
#pragma once

#include <vector>

#include "wherry/geometry/box_list.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

template <int N> struct box_part {
  int number;  ///< of the box, in its floor plan
  box<N> cells;
  bool operator==(const box_part&) const = default;
};

/// The ghost cells of `rank`'s boxes that no box of the plan holds, nor a periodic image of one: a level of refinement
/// takes them from the coarser one. Without those beyond the domain where that is not periodic, which are boundary
/// conditions. Box by box, disjoint. A partial plan must know what touches the rank's boxes within `widths`.
template <int N>
std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>& plan, const halo_widths<N>& widths,
                                          const domain<N>& space, int rank);

/// The boxes of `rank` without what they have in common with others: each point only in the box of the lowest number,
/// as `without_overlap` of index floor plans. A partial plan must know what touches the rank's boxes.
template <int N> std::vector<box_part<N>> without_overlap(const floor_plan<N>& plan, int rank);

/// The values of `rank`'s boxes that are their own (see `centring`): each value of the mesh once, whatever many boxes
/// share it, as sums and norms want it. Boxes of cells must not overlap. A partial plan must know what touches the
/// rank's boxes within one cell.
///     for (const auto& [number, values] : owned_values(u.floor(), u.shape().on, space, comm.rank())) …
template <int N>
std::vector<box_part<N>> owned_values(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space,
                                      int rank);

/// What of some boxes no box of the plan holds, nor a periodic image of one; without what is beyond the domain where
/// that is not periodic.
template <int N>
box_list<N> uncovered(const std::vector<box<N>>& cells, const floor_plan<N>& plan, const domain<N>& space);

}  // namespace wherry
