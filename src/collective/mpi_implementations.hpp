// MPI's own collectives, on the user's communicator, whose topology they may need.
#pragma once

#include "invocation.hpp"
#include "task.hpp"

namespace wherry::collective {

/// Only in two phases is it this: at once it is MPI's blocking call.
task start_mpi(invocation& call);
task start_nonblocking(invocation& call);

}  // namespace wherry::collective
