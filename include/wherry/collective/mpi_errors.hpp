/// @file
/// Errors in MPI's manner, for libraries that offer collectives with MPI's interface (compat/crestacoll, the preload).
#pragma once

#include <mpi.h>

#include <exception>

namespace wherry::collective::detail {

/// Prints the failure in one line on stderr, and calls the error handler of `comm` (MPI-3.1, section 8.3) with MPI's
/// error class for the failure. Local.
/// @return that class, if the handler returns
int give_to_handler(const std::exception& failure, MPI_Comm comm);

}  // namespace wherry::collective::detail
