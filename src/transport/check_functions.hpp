// That a plan's operations and functions are there, and do what its blocks and fields want.
#pragma once

#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Before anything is bound, and not by the carriers: those are bound collectively, and one that throws would leave the
/// others waiting. Wants a plan that is valid. @throws error(argument)
void check_functions(const schedule& plan, const functions& code, int rank);

}  // namespace wherry
