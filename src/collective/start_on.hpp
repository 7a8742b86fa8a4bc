// The steps of `run` and `begin`, for persistent requests, which have a state of their own beside the communicator's.
#pragma once

#include <cstdint>

#include "wherry/collective/run.hpp"

#include "communicator_state.hpp"

namespace wherry::collective {

/// Returns the selection after the memory of its implementation has been made, or MPI's own if that is impossible.
/// Collective.
selection ready(const selection& selected, const call& what, communicator_state& on);

/// The owner of the lists, datatypes and operation to which a call refers while it is in flight.
enum class whose_arguments : std::uint8_t {
  the_callers,       ///< the caller, which keeps them until the call has ended
  the_running_calls  ///< the running call, which copies them and keeps them alive
};

/// Begins a call by this implementation, which is ready. Nothing is checked any more.
running_call start_on(const call& what, communicator_state& on, const selection& chosen, whose_arguments whose,
                      bool protected_buffer = false);

}  // namespace wherry::collective
