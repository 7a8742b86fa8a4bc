// The operations behind CRESTA's names: by the implementations of the build, with errors in MPI's manner.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::crestacoll {

/// These return MPI's status; an error goes to the communicator's error handler.
int run(const collective::call& what);
int begin(const collective::call& what, MPI_Request* request);
int end(int count, MPI_Request requests[]);

/// Makes windows of the build's size for this communicator, which stay until `end_windows`. Collective over `comm`.
int start_windows(MPI_Comm comm);
/// Frees all these windows, the last first. Collective.
int end_windows();

}  // namespace wherry::crestacoll
