// The copy of a send buffer, so that the user may write to the buffer while the call is in flight.
#pragma once

#include "wherry/collective/call.hpp"

#include "communicator_state.hpp"

namespace wherry::collective {

/// Returns the call with a copy of its send buffer.
call with_copy_of_input(const call& what, communicator_state& on, scratch& copy);

}  // namespace wherry::collective
