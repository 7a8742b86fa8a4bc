// The calls of MPI that a call stands for.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// @throws error(argument) where MPI cannot be told the counts, before anything has begun
void check_mpi_counts(const call& what);

/// On `comm`, which is the call's or a duplicate of it. Return MPI's status.
int call_mpi(const call& what, MPI_Comm comm);
int begin_mpi(const call& what, MPI_Comm comm, MPI_Request& request);

}  // namespace wherry::collective
