/// @file
/// For those who offer collectives in MPI's manner: errors as MPI has them.
#pragma once

#include <mpi.h>

#include <exception>

namespace wherry::collective {

/// Tells in one line on stderr what went wrong, and calls the communicator's error handler (MPI-3.1, section 8.3) with
/// MPI's class for it, which it returns where the handler does. Local.
int give_to_handler(const std::exception& failure, MPI_Comm comm);

}  // namespace wherry::collective
