// Counts calls.
#pragma once

#include "wherry/collective/call.hpp"

namespace wherry::collective {

void count_call(kind what, int implementation);

}  // namespace wherry::collective
