/// @file
/// Operations behind MPI requests, for libraries that offer collectives in MPI's manner (compat/crestacoll, the
/// preload). C++ programs use `running_call` and `persistent` of operation.hpp instead.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "wherry/collective/run.hpp"

namespace wherry::collective::detail {

/// The result of `begin_request` and `make_persistent_request`.
struct begun_request {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string_view implementation;  ///< the name, as from `run`
};

/// Begins a call, as `start` does, behind an MPI request. Collective over the call's communicator. The request is a
/// generalized request (MPI-3.1, section 12.2) with a handle of its own: once the operation has ended, MPI's completion
/// calls complete it beside their own. A later error goes to the error handler of the communicator, or to that of
/// MPI_COMM_WORLD if the communicator has been freed, and into the status that MPI_Wait returns.
/// @throws as `start`, and error(mpi)
begun_request begin_request(const call& what, const start_options& options = {});

/// Makes a persistent request, as MPI_Allreduce_init and its like do. Collective over the call's communicator.
/// MPI_Start, through `start_persistent`, begins the call each time. The request is a persistent receive of a message
/// from this rank to itself, so that MPI handles it like its own. Ranks may start their requests in any order. Only the
/// buffers of the call must stay. A later error goes to the error handler, as for `begin_request`, and MPI_Wait returns
/// MPI_ERR_TRUNCATE.
/// @returns MPI_REQUEST_NULL, on all ranks alike, if MPI's own implementation was chosen and there are several ranks:
///   MPI should then make the request
/// @throws as `start`, and error(mpi)
begun_request make_persistent_request(const call& what);

/// True if the request comes from `make_persistent_request`. Local. It costs one load while there are no such requests.
bool is_persistent_request(MPI_Request request);

/// Starts a request from `make_persistent_request` that is not active. Local. An error goes to the communicator's error
/// handler.
/// @returns MPI_SUCCESS, or MPI's class of the error
int start_persistent(MPI_Request request);

/// Frees a request from `make_persistent_request`, as MPI_Request_free does: a call that it has begun goes on. Local.
/// @throws error(mpi)
void free_persistent(MPI_Request& request);

/// A replacement of MPI_Op_free calls this. Local. Returns true if calls that have begun, or persistent ones, use the
/// operation: it will be freed with the last of them, and `op` is now MPI_OP_NULL. Otherwise it returns false and has
/// done nothing.
bool free_when_unused(MPI_Op& op);

/// True if operations behind requests are in flight. Local; one load.
bool requests_in_flight();

/// Advances all operations behind requests, and completes those that have ended. MPI's own completion calls do not
/// advance them, so a wait for such a request calls this again and again. Local; any thread; never waits.
void proceed_with_requests();

/// Call this after MPI has reported requests as complete: another thread may have ended them, and its writes are
/// visible from here on.
void see_ended_requests() noexcept;

/// The loop of one wait, such as MPI_Waitall, for a list that may contain requests of this header.
class wait_for_requests {
 public:
  /// Call this before each test of the requests. It advances the requests as `proceed_with_requests` does, and yields
  /// the core after a while. After WHERRY_TIMEOUT seconds it ends all operations that had begun before this wait with
  /// an error: the error handlers of their communicators are told which ranks are missing, and MPI_Wait returns the
  /// error.
  void proceed();

 private:
  int polls_ = 0;
  std::uint64_t begun_before_ = 0;
  std::chrono::steady_clock::time_point began_{};
};

}  // namespace wherry::collective::detail
