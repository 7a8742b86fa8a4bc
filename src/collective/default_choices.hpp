// The implementations that are used if neither the program nor the user has chosen.
#pragma once

#include <vector>

#include "choices.hpp"
#include "communicator_state.hpp"

namespace wherry::collective {

/// The rules without measurements: the implementations that were best on the machines that we know
/// (docs/performance.md).
/// @param shares all ranks share a node, and its board can do this kind
/// @param crowded the node has more ranks than cores
std::vector<rule> our_rules(kind what, bool shares, int ranks, bool crowded);

/// Sets `on.chosen` from the defaults, the tuning file and the settings; later ones override earlier ones. Collective.
/// @throws error(argument) for settings that name no implementation
void choose_by_default(communicator_state& on);

}  // namespace wherry::collective
