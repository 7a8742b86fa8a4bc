/// @file
/// The parameter type of functions that are called often: it accepts an MPI_Comm as well as a `wherry::communicator`,
/// and costs nothing.
#pragma once

#include <mpi.h>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// The MPI_Comm of the user. Made from a `wherry::communicator`, it is the MPI_Comm from which that communicator was
/// made.
class any_communicator {
 public:
  any_communicator(MPI_Comm users) : users_(users) {}
  /// @throws error(state) if the user has freed that MPI_Comm, or if MPI has ended
  any_communicator(const communicator& ours) : users_(ours.users_handle()) {}
  operator MPI_Comm() const { return users_; }

 private:
  MPI_Comm users_;
};

}  // namespace wherry
