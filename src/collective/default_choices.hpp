// What does what where nobody has chosen.
#pragma once

#include "communicator_state.hpp"

namespace wherry::collective {

/// Collective: sets `on.chosen` from our defaults, the tuning file and the settings, the latter above the former.
/// @throws error(argument) for settings that name no implementation
void choose_by_default(communicator_state& on);

}  // namespace wherry::collective
