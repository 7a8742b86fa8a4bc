/// @file
/// Which ranks are known to have died: GASPI's state vector, ping and kill (GASPI 17.1, section 13: fault tolerance).
#pragma once

#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

/// What is known of a rank.
///
/// Of the ranks of its own node each rank learns from the operating system when a process has ended, within about 0.3
/// seconds of any wait of Wherry's: the wait throws error(lost) with the dead ranks as `peers`. A wait that knows whom
/// it needs (the collectives of a `rank_group`) does so for those alone; one for anybody (notifications, passive
/// messages, agreements of all ranks) for any of the communicator, until `take_for_dead` says that it is known. So
/// survivors go on, by groups without the dead. Calls that only look, with a limit of 0 seconds, do not find out:
/// `health` does.
///
/// Ranks of other nodes hear of a death from those that were on the dead rank's node, as soon as one of these has
/// waited for 0.3 seconds, and they themselves are in a wait, of Wherry's on the same communicator: then their waits
/// throw as well. Where a rank was alone on its node nobody sees its death, unless `end_rank` ordered it; MPI may
/// report an error when something is sent (most end the job before), and `ping` finds ranks that do not answer, dead or
/// not. That a rank is healthy says only that nothing else is known.
enum class rank_health : unsigned char {
  healthy,
  corrupt  ///< it has died, or was taken for dead. For good, on this rank
};

/// Local, at once. @throws error(argument) for no such rank
rank_health health(const communicator& comm, int rank);
/// Of all ranks, in their order.
std::vector<rank_health> health(const communicator& comm);

/// Local: the rank is corrupt from now on, on this rank, whether it lives or not; waits for anybody no longer report
/// its death. @throws error(argument) for no such rank, and for this one
void take_for_dead(const communicator& comm, int rank);

/// Asks whether a rank lives. Of this node the operating system knows, at once. A rank of another node answers itself,
/// in any wait of Wherry's on the same communicator, so that one that computes does not. @return false: it is corrupt
/// (see `health`), or has not answered within `seconds`; the same call again waits on for the answer, which may have
/// come long before. Who has waited long enough says so by `take_for_dead`
/// @throws error(argument) for no such rank
bool ping(const communicator& comm, int rank, double seconds);

/// Ends another rank at once: SIGKILL on this node; a rank of another node is asked to do that to itself, in its next
/// wait of Wherry's on the same communicator. It is taken for dead. What becomes of the job is the launcher's business
/// (docs/notify.md). @return false: it has not ended, or not confirmed that it will, within `seconds`; the same call
/// again waits on
/// @throws error(argument) for no such rank, and for this one
bool end_rank(const communicator& comm, int rank, double seconds);

}  // namespace wherry
