/// @file
/// For those who offer collectives in MPI's manner: operations behind requests of MPI's.
#pragma once

#include <mpi.h>

#include <memory>
#include <string_view>

#include "wherry/collective/operation.hpp"

namespace wherry::collective {

struct begun_request {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string_view implementation;  ///< as of `run`
};

/// As `begin`. The request is one of MPI's generalized ones (MPI-3.1, section 12.2): no other has the same handle, and
/// MPI answers for it once the operation has ended, beside its own in any list. The operation's and `kept` are
/// the request's. What goes wrong later is the communicator's error handler's, and the status that MPI_Wait gives.
/// @throws as `begin`, error(mpi)
begun_request begin_request(const call& what, const begin_options& options = {}, std::shared_ptr<const void> kept = {});

/// Some have begun, and have not ended. One load.
bool requests_in_flight();

/// Lets all of them go on, and completes those that have ended. MPI's own completion calls do not: who waits for such a
/// request calls this again and again. Any thread; never waits.
void proceed_with_requests();

}  // namespace wherry::collective
