// The checking mode's comparison of motion plans.
#pragma once

#include "wherry/core/communicator.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/motion/motion_plan.hpp"

namespace wherry {

/// Collective. Compares each entry between two ranks with its other side: plans may differ and still move as many
/// bytes, to the wrong places.
/// @throws error(mismatch), on all ranks alike, that names the two ranks and what each of them has in its plan.
template <int N>
void compare_entries(const communicator& comm, const motion_plan<N>& plan, const floor_plan<N>& source,
                     const floor_plan<N>& destination);

}  // namespace wherry
