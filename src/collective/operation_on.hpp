// The steps of `run` and `begin`, for those who keep a state of their own beside the communicator's.
#pragma once

#include "wherry/collective/operation.hpp"

#include "communicator_state.hpp"

namespace wherry::collective {

/// What was selected, after what it keeps with the communicator has been made: if that cannot be, another one.
/// Collective.
selection ready(const selection& selected, const call& what, communicator_state& on);

/// As `begin`, by this implementation, which is ready. Nothing is checked any more.
operation begin_on(const call& what, communicator_state& on, const selection& chosen, bool protected_buffer = false);

}  // namespace wherry::collective
