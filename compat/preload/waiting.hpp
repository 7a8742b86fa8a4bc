// A program that waits in MPI while operations of Wherry's are in flight must drive these operations, because it, or
// another rank, may wait for them. So each waiting call becomes a loop that asks MPI and drives them in between.
#pragma once

#include <mpi.h>

#include "requests.hpp"

namespace wherry::preload {

/// Called with MPI's status after a call that may have completed requests.
inline int seen(int status) {
  collective::detail::see_ended_requests();
  return status;
}

/// @param ask a call that does not wait: it sets `done`, and returns MPI's status
/// @param wait the call that waits
template <class Ask, class Wait> int until(Ask ask, Wait wait) {
  collective::detail::wait_for_requests patience;
  while (collective::detail::requests_in_flight()) {
    patience.proceed();
    bool done = false;
    const int status = ask(done);
    if (done || status != MPI_SUCCESS) return seen(status);
  }
  return seen(wait());
}

/// @param ask a call that does not wait; it is called once
template <class Ask> int once(Ask ask) {
  if (collective::detail::requests_in_flight()) collective::detail::proceed_with_requests();
  return seen(ask());
}

}  // namespace wherry::preload
