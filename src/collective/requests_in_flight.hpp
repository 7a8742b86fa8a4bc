// Operations of ours for which requests of MPI's stand.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "wherry/collective/operation.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

class request_in_flight {
 public:
  virtual ~request_in_flight() = default;

  collective::operation operation;
  std::optional<communicator> comm;  ///< until it has ended
  int outcome = MPI_SUCCESS;
  std::uint64_t number = 0;  ///< of all that this process has begun; set by `add_in_flight`

  /// Whose error handler hears of what goes wrong: the communicator that the program has given, if it has not freed it.
  MPI_Comm handler() const;

  /// The operation has ended: lets MPI say so. MPI, and with it the program, may make an end of this at once.
  virtual void complete() noexcept = 0;
};

/// To be asked, and completed, by `proceed_with_requests`. Stays until then.
void add_in_flight(request_in_flight& begun);

/// Before MPI is told that one has ended: whoever hears it from MPI and then calls `see_ended_requests` sees all that
/// was done until now, whatever MPI itself does for that.
void show_ended_request() noexcept;

}  // namespace wherry::collective
