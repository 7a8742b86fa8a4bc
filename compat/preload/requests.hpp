// Non-blocking calls: what is in flight, and the generalized requests that stand for it in the program's hands.
#pragma once

#include <mpi.h>

#include <memory>

#include "wherry/collective/call.hpp"

#include "replacement.hpp"

namespace wherry::preload {

/// Begins it. The request is one of MPI's generalized ones: no other request of the program's can have the same handle,
/// and MPI itself answers for it as soon as it is complete. `kept` lives as long as the operation.
int begin(const collective::call& what, MPI_Request& request, std::shared_ptr<const void> kept = {});

/// Some have begun, and have not ended. One load.
bool any_in_flight();

/// Lets all of them go on, and completes those that have ended. Any thread; never waits.
void proceed();

template <class Make, class Pass>
int nonblocking(collective::kind what, MPI_Comm comm, MPI_Request* request, Make make, Pass pass) {
  if (request == nullptr || !taken(what, form::nonblocking, comm)) return pass();
  return begin(make(), *request);
}

}  // namespace wherry::preload
