// The rules without measurements: the implementations that were best on the machines that we know
// (docs/performance.md).
#pragma once

#include "choices.hpp"

namespace wherry::collective {

/// Adds the default rules for one kind of call.
/// @param shares all ranks share a node, and its board can do this kind
/// @param crowded the node has more ranks than cores
void add_default_rules(choices& to, kind what, bool shares, int ranks, bool crowded);

}  // namespace wherry::collective
