// MPI-4's collectives with lists of large counts.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

bool has_large_lists(const call& what);

/// As `call_mpi` and `begin_mpi`, of calls with such lists, which only MPIs have that have these calls.
int call_mpi_with_large_lists(const call& what, MPI_Comm comm);
int begin_mpi_with_large_lists(const call& what, MPI_Comm comm, MPI_Request& request);

}  // namespace wherry::collective
