// MPI's own collectives: on the user's communicator, or on the private duplicate, which has its topology.
#pragma once

#include "implementations.hpp"
#include "invocation.hpp"
#include "task.hpp"

namespace wherry::collective {

/// What MPI's own is in two phases.
task start_nonblocking(const implementation& self, invocation& call);

/// What it is otherwise.
brief_way directly_to_mpi(const call& what, const shape_of_call& shape, const communicator_state& on);

}  // namespace wherry::collective
