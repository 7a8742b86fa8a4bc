// What does what where nobody has chosen.
#pragma once

#include <vector>

#include "choices.hpp"
#include "communicator_state.hpp"

namespace wherry::collective {

/// Where nobody has measured: what was best on the machines that we know (docs/performance.md).
/// @param shares all ranks share a node, and what they show each other there can do it
/// @param crowded the node has more ranks than cores
std::vector<rule> our_rules(kind what, bool shares, int ranks, bool crowded);

/// Collective: sets `on.chosen` from our defaults, the tuning file and the settings, the latter above the former.
/// @throws error(argument) for settings that name no implementation
void choose_by_default(communicator_state& on);

}  // namespace wherry::collective
