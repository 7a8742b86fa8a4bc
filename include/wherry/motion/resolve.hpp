/// @file
/// Floor plans without a replicated list: each rank brings its own boxes and learns of those that it has to do with.
/// KeLP replicates all meta-data, which grows as the square of the nodes (paper 4, section 2); here what a rank sends,
/// receives and keeps depends on its own boxes and their neighbours, not on the number of ranks. All collective.
#pragma once

#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// Numbers the boxes of all ranks, rank after rank and on each in the order given. The partial floor plan returned
/// knows those of the calling rank; `resolve` adds others. Ranks may have no boxes, and boxes may be empty.
/// @throws error(argument) on all ranks alike for more than 2^31 - 1 boxes.
template <int N> floor_plan<N> distributed_floor_plan(const communicator& comm, const std::vector<box<N>>& mine);

/// The same floor plan, which then also knows all boxes of other ranks that touch one of this rank's within `reach`,
/// in either direction and across periodic edges: what `halo_motion` of widths up to `reach` needs; of values on
/// planes, of widths less than that.
/// @param plan knows at least the boxes of the calling rank
/// @throws error(argument) on all ranks alike for a negative reach, error(mismatch) when the ranks have different
///         reaches or domains, or plans of different sizes.
template <int N>
floor_plan<N> resolve(const communicator& comm, const floor_plan<N>& plan, const halo_widths<N>& reach,
                      const domain<N>& space);

/// Both at once.
template <int N>
floor_plan<N> distributed_floor_plan(const communicator& comm, const std::vector<box<N>>& mine,
                                     const halo_widths<N>& reach, const domain<N>& space) {
  return resolve(comm, distributed_floor_plan(comm, mine), reach, space);
}

template <int N> struct resolved_pair {
  floor_plan<N> from, to;
};

/// The same two floor plans, each of which then also knows the boxes of other ranks that touch a box of this rank in
/// the other plan, across periodic edges too: what `redistribution(from, to, space)` needs.
/// @throws as above.
template <int N>
resolved_pair<N> resolve(const communicator& comm, const floor_plan<N>& from, const floor_plan<N>& to,
                         const domain<N>& space);
/// What `redistribution(from, on, to, space)` needs: boxes of cells, and boxes of values on their planes. A partial
/// `from` also learns of its own neighbours, which say whose a value is.
/// @param on where the values are, the same on all ranks
/// @throws as above.
template <int N>
resolved_pair<N> resolve(const communicator& comm, const floor_plan<N>& from, const centring<N>& on,
                         const floor_plan<N>& to, const domain<N>& space);
/// The same in an open index space.
template <int N>
resolved_pair<N> resolve(const communicator& comm, const floor_plan<N>& from, const floor_plan<N>& to) {
  return resolve(comm, from, to, domain<N>{});
}

}  // namespace wherry
