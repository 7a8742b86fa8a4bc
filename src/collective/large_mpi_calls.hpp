// MPI-4's collectives with large counts, and with lists of them.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// True for lists of large integers, or for a count beyond an int if MPI takes that.
bool has_large_counts(const call& what);

/// As `call_mpi` and `begin_mpi`, for such calls; only with an MPI that has these functions.
int call_mpi_with_large_counts(const call& what, MPI_Comm comm);
int begin_mpi_with_large_counts(const call& what, MPI_Comm comm, MPI_Request& request);

}  // namespace wherry::collective
