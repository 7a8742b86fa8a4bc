// MPI-4's collectives with large counts, and with lists of them.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// Lists of large figures, or, where MPI takes that, a count beyond an int.
bool has_large_counts(const call& what);

/// As `call_mpi` and `begin_mpi`, of such calls, which only MPIs have that have these functions.
int call_mpi_with_large_counts(const call& what, MPI_Comm comm);
int begin_mpi_with_large_counts(const call& what, MPI_Comm comm, MPI_Request& request);

}  // namespace wherry::collective
