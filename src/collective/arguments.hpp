// Checks the arguments of a call before anything is sent.
#pragma once

#include "wherry/collective/call.hpp"

namespace wherry::collective {

class neighborhood;

/// Local.
/// @throws error(argument) that names the argument
/// @param around the neighbours, if the communicator has a topology
void check_arguments(const call& what, int rank, int size, const neighborhood* around = nullptr);

}  // namespace wherry::collective
