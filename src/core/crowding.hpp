// Whether this node has more ranks than cores: then who waits must soon give his core to the one he waits for.
#pragma once

namespace wherry {

/// As far as this process has seen by its communicators and by its launcher.
bool node_is_crowded();
/// A communicator has so many ranks on this node.
void note_ranks_of_node(int ranks);

}  // namespace wherry
