// The MPI functions for a call.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// @throws error(argument) if MPI cannot take the counts, before anything has begun
void check_mpi_counts(const call& what);

/// These call MPI on `comm`, which is the call's communicator or a duplicate of it, and return MPI's status.
int call_mpi(const call& what, MPI_Comm comm);
int begin_mpi(const call& what, MPI_Comm comm, MPI_Request& request);

}  // namespace wherry::collective
