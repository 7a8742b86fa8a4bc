// Finds the boxes of other ranks that touch a rank's own.
#pragma once

#include <vector>

#include "wherry/core/communicator.hpp"

#include "rendezvous.hpp"

namespace wherry {

/// Announces this rank's boxes and returns the boxes of other ranks that touch them, in no order and perhaps several
/// times. Collective over `comm`.
/// @param two_sides false: all boxes are of one floor plan (side 0); true: boxes of side 1 meet those of side 0
template <int N>
std::vector<known_box<N>> meet(const communicator& comm, const std::vector<known_box<N>>& mine, bool two_sides,
                               const halo_widths<N>& reach, const domain<N>& space);

}  // namespace wherry
