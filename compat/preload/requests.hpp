// Non-blocking and persistent calls.
#pragma once

#include <mpi.h>

#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/requests.hpp"

#include "replacement.hpp"

namespace wherry::preload {

/// Begins a non-blocking call.
int set_off(const collective::call& what, MPI_Request& request);

template <class Make, class Pass>
int nonblocking(collective::kind what, MPI_Comm comm, MPI_Request* request, Make make, Pass pass) {
  if (request == nullptr || !taken(what, form::nonblocking, comm)) return pass();
  return set_off(make(), *request);
}

struct prepared {
  int code = MPI_SUCCESS;
  bool is_mpis = false;  ///< MPI's own implementation was chosen, so the program gets MPI's request
};
/// Makes a persistent request.
prepared prepare(const collective::call& what, MPI_Request& request);

template <class Make, class Pass>
int persistent(collective::kind what, MPI_Comm comm, MPI_Request* request, Make make, Pass pass) {
  if (request == nullptr || !taken(what, form::persistent, comm)) return pass();
  const auto made = prepare(make(), *request);
  return made.is_mpis ? pass() : made.code;
}

}  // namespace wherry::preload
