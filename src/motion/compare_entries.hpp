// Compares motion plans between ranks under WHERRY_CHECK=1.
#pragma once

#include "wherry/core/communicator.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/motion/motion_plan.hpp"

namespace wherry {

/// Compares each entry between two ranks on both sides, because different plans may move the same number of bytes to
/// wrong places. Collective over `comm`.
/// @throws error(mismatch), on all ranks alike, that names the two ranks and the entry of each.
template <int N>
void compare_entries(const communicator& comm, const motion_plan<N>& plan, const floor_plan<N>& source,
                     const floor_plan<N>& destination);

}  // namespace wherry
