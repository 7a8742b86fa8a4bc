// Finds out if this node has more ranks than cores. A waiting rank must then soon give its core to the rank for which
// it waits.
#pragma once

namespace wherry {

/// True if the communicators of this process, or its launcher, show more ranks than cores.
bool node_is_crowded();
/// Notes that a communicator has this number of ranks on this node.
void note_ranks_of_node(int ranks);

}  // namespace wherry
