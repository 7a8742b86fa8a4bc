// Checks with WHERRY_CHECK that all ranks mean the same call.
#pragma once

#include <string_view>

#include "implementations.hpp"

namespace wherry::collective {

/// Compares a call between all ranks. Collective over the call's communicator. The effect of a user's operation, and
/// the types of number in a derived datatype, are not compared.
/// @param implementation the one that the caller has named; empty: none
/// @throws error(mismatch) on all ranks, which names the difference and both values
void compare_calls(const call& what, const shape_of_call& shape, const communicator_state& on,
                   std::string_view implementation);

}  // namespace wherry::collective
