// WHERRY_CHECK: whether all ranks mean the same call.
#pragma once

#include <string_view>

#include "implementations.hpp"

namespace wherry::collective {

/// Collective over the call's communicator. What a user's operation does, and which numbers lie in a derived datatype,
/// nobody compares.
/// @param implementation that the caller has named; empty: none
/// @throws error(mismatch) on all ranks, naming what they disagree on and both figures
void compare_calls(const call& what, const shape_of_call& shape, const communicator_state& on,
                   std::string_view implementation);

}  // namespace wherry::collective
