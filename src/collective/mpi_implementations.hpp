// MPI's own collectives, on the user's communicator or on the private duplicate, which has the same topology.
#pragma once

#include "implementations.hpp"
#include "invocation.hpp"
#include "task.hpp"

namespace wherry::collective {

/// MPI's own collective as a split-phase call.
task start_nonblocking(const implementation& self, invocation& call);

/// MPI's own collective as a blocking call.
brief_way directly_to_mpi(const call& what, const shape_of_call& shape, const communicator_state& on);

}  // namespace wherry::collective
