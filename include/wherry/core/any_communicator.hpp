/// @file
/// What a function takes that is called again and again: a communicator of MPI's or of ours, at no cost.
#pragma once

#include <mpi.h>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// The user's own. Of a `wherry::communicator` it is that of which it was made.
class any_communicator {
 public:
  any_communicator(MPI_Comm users) : users_(users) {}
  /// @throws error(state) where the user has freed it
  any_communicator(const communicator& ours) : users_(ours.users()) {}
  operator MPI_Comm() const { return users_; }

 private:
  MPI_Comm users_;
};

}  // namespace wherry
