// Counts calls.
#pragma once

#include "wherry/collective/call.hpp"

namespace wherry::collective {

void count_call(kind what, int implementation);
/// Prints to standard error what has been called, as WHERRY_STATS says. Makes no MPI call.
void report_usage(int rank);

}  // namespace wherry::collective
