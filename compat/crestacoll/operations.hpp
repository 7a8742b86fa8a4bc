// The operations behind CRESTA's names: those of the build, errors as MPI has them.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::crestacoll {

/// Give MPI's status; what is wrong goes to the communicator's error handler.
int run(const collective::call& what);
int begin(const collective::call& what, MPI_Request* request);
int end(int count, MPI_Request requests[]);

/// Collective: windows of the size of the build for this communicator, which stay until `end_windows`.
int start_windows(MPI_Comm comm);
/// Collective: gives all of these back, the last first.
int end_windows();

}  // namespace wherry::crestacoll
