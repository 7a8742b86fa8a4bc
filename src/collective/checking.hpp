// WHERRY_CHECK: whether all ranks mean the same call.
#pragma once

#include "implementations.hpp"

namespace wherry::collective {

/// Collective over the call's communicator. @throws error(mismatch) on all ranks, naming what they disagree on and both
/// figures
void compare_calls(const call& what, const shape_of_call& shape, const communicator_state& on);

}  // namespace wherry::collective
