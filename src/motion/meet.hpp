// Boxes of different ranks meet and learn of each other. Collective.
#pragma once

#include <vector>

#include "wherry/core/communicator.hpp"

#include "rendezvous.hpp"

namespace wherry {

/// Announces this rank's boxes and returns those of others that it must know, in no order, perhaps several times. Boxes
/// are of one floor plan (all of side 0), or those of side 1 look for those of side 0.
template <int N>
std::vector<known_box<N>> meet(const communicator& comm, const std::vector<known_box<N>>& mine, bool two_sides,
                               const halo_widths<N>& reach, const domain<N>& space);

}  // namespace wherry
