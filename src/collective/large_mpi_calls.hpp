// MPI-4's collectives with large counts, and with lists of them.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// True for lists of large integers, or for a count beyond an int if MPI takes that.
bool has_large_counts(const call& what);

/// Calls the MPI function for such a call; only with an MPI that has these functions.
/// @param request null: the blocking function
int call_with_large_counts(const call& what, MPI_Comm comm, MPI_Request* request);

}  // namespace wherry::collective
