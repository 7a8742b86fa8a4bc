/// @file
/// For those who offer collectives in MPI's manner: operations behind requests of MPI's.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "wherry/collective/operation.hpp"

namespace wherry::collective {

struct begun_request {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string_view implementation;  ///< as of `run`
};

/// As `begin`. The request is one of MPI's generalized ones (MPI-3.1, section 12.2): no other has the same handle, and
/// MPI answers for it once the operation has ended, beside its own in any list. What goes wrong later is the error
/// handler's of the communicator, once that is freed of MPI_COMM_WORLD, and the status that MPI_Wait gives.
/// @throws as `begin`, error(mpi)
begun_request begin_request(const call& what, const begin_options& options = {});

/// As MPI_X_init: collective over the call's communicator; MPI_Start, by way of `start_persistent`, begins it each
/// time. The request is a persistent one of MPI's (it receives a message of ours), which MPI answers for like its own.
/// Ranks may start theirs in any order. Of what the call refers to only the buffers must stay. What goes wrong later is
/// the error handler's, as of `begin_request`, and what MPI_Wait gives is MPI_ERR_TRUNCATE.
/// @returns no request where MPI's own implementation was chosen, among several ranks: let MPI make one, on all alike
/// @throws as `begin`, error(mpi)
begun_request make_persistent_request(const call& what);

/// Whether it is one of these; one load where there are none.
bool is_persistent_request(MPI_Request request);

/// One of these, which is not active. What goes wrong is the communicator's error handler's. @returns MPI's class of it
int start_persistent(MPI_Request request);

/// As MPI_Request_free, of one of these: what it has begun goes on. @throws error(mpi)
void free_persistent(MPI_Request& request);

/// For those who take MPI_Op_free's place. True: calls that have begun, or persistent ones, use the operation; it is
/// freed with the last of them, and `op` is MPI_OP_NULL. False: nothing has been done.
bool free_when_unused(MPI_Op& op);

/// Some have begun, and have not ended. One load.
bool requests_in_flight();

/// Lets all of them go on, and completes those that have ended. MPI's own completion calls do not: who waits for such a
/// request calls this again and again. Any thread; never waits.
void proceed_with_requests();

/// After MPI has said that requests are complete: another thread may have ended them, and its writes are seen now.
void see_ended_requests() noexcept;

/// One wait for requests among which may be such, as MPI_Waitall is one.
class wait_for_requests {
 public:
  /// Before each question whether they are complete: as `proceed_with_requests`, and gives the core away after a
  /// while. After WHERRY_TIMEOUT seconds those that had begun before this wait end with an error: their communicators'
  /// handlers hear who has not come, and MPI_Wait gives it.
  void proceed();

 private:
  int polls_ = 0;
  std::uint64_t begun_before_ = 0;
  std::chrono::steady_clock::time_point began_{};
};

}  // namespace wherry::collective
