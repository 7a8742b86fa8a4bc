// Operations of ours behind MPI requests.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "wherry/collective/run.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// A running call and its request.
class request_in_flight {
 public:
  virtual ~request_in_flight() = default;

  collective::running_call running;
  std::optional<communicator> comm;  ///< until the call has ended
  int outcome = MPI_SUCCESS;
  std::uint64_t number = 0;  ///< numbers all operations of this process; set by `add_in_flight`

  /// The communicator with the error handler that gets errors: the one that the program has given, or MPI_COMM_WORLD if
  /// the program has freed it.
  MPI_Comm handler() const;

  /// Called when the call has ended: reports this to MPI. MPI, and with it the program, may destroy this object at
  /// once.
  virtual void complete() noexcept = 0;
};

/// Adds a running call, which `proceed_with_requests` then advances and completes. The object stays until then.
void add_in_flight(request_in_flight& begun);

/// Call this before MPI is told that a call has ended: a thread that learns this from MPI and then calls
/// `see_ended_requests` sees everything that was done before this call, whatever MPI itself guarantees.
void show_ended_request() noexcept;

}  // namespace wherry::collective
