/// @file
/// Makes floor plans that no rank lists completely: each rank contributes its own boxes and learns of the boxes of
/// other ranks that its motions need.
///
///     auto plan = wherry::distributed_floor_plan<3>(comm, my_boxes, 1, space);  // also knows the boxes within 1 cell
///     wherry::x_array<double, 3> u(comm, plan, {.ghost_width = 1});
///     auto fill_ghosts = wherry::ghost_filler(u, space);
///     auto pair = wherry::resolve(comm, plan, wherry::distributed_floor_plan<3>(comm, new_boxes), space);
///     auto move = wherry::redistribution(pair.from, pair.to, space);
///
/// KeLP replicates all metadata, which grows as the square of the number of nodes (KeLP, section 2). Here the
/// communication and the memory of a rank depend on its own boxes and their neighbours, not on the number of ranks. All
/// functions are collective over `comm`. If every rank can list all boxes, a complete floor plan (decompose.hpp) needs
/// none of this.
#pragma once

#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// Numbers the boxes of all ranks, rank by rank and on each rank in the order given, and returns a partial floor plan
/// that knows the calling rank's boxes. A rank may have no boxes, and a box may be empty. Collective over `comm`.
/// @throws error(argument) on all ranks alike for more than 2^31 - 1 boxes.
template <int N> floor_plan<N> distributed_floor_plan(const communicator& comm, const std::vector<box<N>>& mine);

/// Adds to a floor plan all boxes of other ranks that touch a box of this rank within `reach` cells, in either
/// direction and across periodic edges. `halo_motion` with widths up to `reach` needs this; for values on planes use
/// `reach_of(widths, on)`. Collective over `comm`.
/// @param plan knows at least the boxes of the calling rank
/// @throws error(argument) on all ranks alike for a negative reach, or for a coordinate beyond ±2^59; error(mismatch)
///         if the ranks have different reaches or domains, or plans of different sizes.
template <int N>
floor_plan<N> resolve(const communicator& comm, const floor_plan<N>& plan, const halo_widths<N>& reach,
                      const domain<N>& space);

/// Numbers the boxes and resolves the plan in one call. Collective over `comm`; @throws as the two functions above.
template <int N>
floor_plan<N> distributed_floor_plan(const communicator& comm, const std::vector<box<N>>& mine,
                                     const halo_widths<N>& reach, const domain<N>& space) {
  return resolve(comm, distributed_floor_plan(comm, mine), reach, space);
}

/// Adds to each of two floor plans the boxes of other ranks that touch a box of this rank in the other plan, across
/// periodic edges too. `redistribution(from, to, space)` needs this. Collective over `comm`.
/// @throws error(argument) on all ranks alike for a coordinate beyond ±2^59; error(mismatch) if the ranks have
///         different domains or plans of different sizes.
template <int N>
resolved_pair<floor_plan<N>> resolve(const communicator& comm, const floor_plan<N>& from, const floor_plan<N>& to,
                                     const domain<N>& space);
/// Resolves a floor plan of cells and one of values on planes together. `redistribution(from, on, to, space)` needs
/// this. A partial `from` also learns of its own neighbours, because they decide which box owns a value. Collective
/// over `comm`.
/// @param from boxes of cells
/// @param on where the values are, the same on all ranks
/// @param to boxes of values, as `values_of` makes them
/// @throws as `resolve(comm, from, to, space)`, and error(mismatch) if `from` is complete on some ranks only.
template <int N>
resolved_pair<floor_plan<N>> resolve(const communicator& comm, const floor_plan<N>& from, const centring<N>& on,
                                     const floor_plan<N>& to, const domain<N>& space);
/// Like `resolve(comm, from, to, space)`, for a domain that is not periodic.
template <int N>
resolved_pair<floor_plan<N>> resolve(const communicator& comm, const floor_plan<N>& from, const floor_plan<N>& to) {
  return resolve(comm, from, to, domain<N>{});
}

}  // namespace wherry
