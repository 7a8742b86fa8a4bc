/// @file
/// Which ranks are known to have died: GASPI's state vector, ping and kill (GASPI 17.1, section 13: fault tolerance).
#pragma once

#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

enum class rank_health : unsigned char {
  healthy,  ///< not known to have died, which is all that can be known
  corrupt   ///< it has died, or somebody has said so, or it did not answer a ping. For good
};

/// Local: what this rank knows. Asks the operating system about ranks of this node, nobody about those of others.
/// @throws error(argument) for no such rank
rank_health health(const communicator& comm, int rank);
/// Of all ranks, in their order.
std::vector<rank_health> health(const communicator& comm);

/// Asks a rank whether it lives. On this node the operating system answers, at once. A rank of another node answers
/// itself, in any wait of Wherry's (or by the progress thread): one that computes for longer than `seconds` does not
/// answer, and is taken for dead.
/// @return false: it is dead, or did not answer within `seconds`; it is corrupt from now on, on this rank
bool ping(const communicator& comm, int rank, double seconds);

/// Ends another rank at once (SIGKILL), on this node; asks a rank of another node to end itself in its next wait of
/// Wherry's. It is corrupt from now on, on this rank. What becomes of the job is the launcher's business: docs/notify.md.
/// @throws error(argument) for no such rank and for this one itself
/// @return false: it could not be reached within `seconds`
bool end_rank(const communicator& comm, int rank, double seconds = no_limit);

}  // namespace wherry
