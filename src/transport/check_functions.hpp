// Checks that the functions and operations that a plan names exist, and that they fit its blocks and fields.
#pragma once

#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Called before anything is bound. The carriers do not check this themselves: they are bound collectively, and one
/// that throws would leave the other ranks waiting. The plan must be valid. @throws error(argument)
void check_functions(const plans::schedule& plan, const plans::functions& code, int rank);

}  // namespace wherry
