// The operations behind CRESTA's names: those of the build, errors as MPI has them.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::crestacoll {

/// Give MPI's status; what is wrong goes to the communicator's error handler.
int run(const collective::call& what);
int begin(const collective::call& what, MPI_Request* request);
int end(int count, MPI_Request requests[]);

/// Once per communicator, before the collectives, or never.
int start_windows(MPI_Comm comm);

}  // namespace wherry::crestacoll
