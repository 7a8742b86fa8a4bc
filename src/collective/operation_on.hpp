// The steps of `run` and `begin`, for those who keep a state of their own beside the communicator's.
#pragma once

#include <cstdint>

#include "wherry/collective/operation.hpp"

#include "communicator_state.hpp"

namespace wherry::collective {

/// What was selected, after what it keeps with the communicator has been made: if that cannot be, another one.
/// Collective.
selection ready(const selection& selected, const call& what, communicator_state& on);

/// Whose the lists, datatypes and operation are that the call refers to while it is under way.
enum class whose_arguments : std::uint8_t {
  the_callers,    ///< who keeps them until it has ended
  the_operations  ///< which copies them, and keeps them alive
};

/// As `begin`, by this implementation, which is ready. Nothing is checked any more.
operation begin_on(const call& what, communicator_state& on, const selection& chosen, whose_arguments whose,
                   bool protected_buffer = false);

}  // namespace wherry::collective
