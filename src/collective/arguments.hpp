// What is wrong with a call, found before anything is sent.
#pragma once

#include "wherry/collective/call.hpp"

namespace wherry::collective {

class neighborhood;

/// Local. @throws error(argument) naming the argument
/// @param around the neighbours, where the communicator has a topology
void check_arguments(const call& what, int rank, int size, const neighborhood* around = nullptr);

}  // namespace wherry::collective
