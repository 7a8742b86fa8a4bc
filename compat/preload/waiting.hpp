// A program that waits in MPI while operations of ours are in flight must let those go on, too: it, or another rank,
// may wait for them. So what waits asks instead, again and again, and lets them go on in between.
#pragma once

#include <mpi.h>

#include "requests.hpp"

namespace wherry::preload {

/// MPI has said so.
inline int seen(int status) {
  collective::see_ended_requests();
  return status;
}

/// `ask` is a call that does not wait: it says whether it is done, and gives MPI's status. `wait` is the one that does.
template <class Ask, class Wait> int until(Ask ask, Wait wait) {
  collective::wait_for_requests patience;
  while (collective::requests_in_flight()) {
    patience.proceed();
    bool done = false;
    const int status = ask(done);
    if (done || status != MPI_SUCCESS) return seen(status);
  }
  return seen(wait());
}

/// `ask` does not wait either, and is asked once.
template <class Ask> int once(Ask ask) {
  if (collective::requests_in_flight()) collective::proceed_with_requests();
  return seen(ask());
}

}  // namespace wherry::preload
