// The blocking and the non-blocking MPI function of one collective, which have the same arguments.
#pragma once

#include <mpi.h>

namespace wherry::collective {

/// Calls one of two MPI functions.
struct mpi_function {
  MPI_Request* request;  ///< of the non-blocking function; null: the blocking one is called

  template <class Now, class Later, class... Arguments>
  int operator()(Now now, Later later, Arguments... arguments) const {
    return request == nullptr ? now(arguments...) : later(arguments..., request);
  }
};

}  // namespace wherry::collective
