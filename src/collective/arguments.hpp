// What is wrong with a call, found before anything is sent.
#pragma once

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// Local. @throws error(argument) naming the argument
void check_arguments(const call& what, int rank, int size);

}  // namespace wherry::collective
