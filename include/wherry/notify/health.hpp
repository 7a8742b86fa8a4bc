/// @file
/// Fault tolerance: finds out which ranks have died, so that the surviving ranks can go on without them (GASPI's state
/// vector, ping and kill; GASPI 17.1, section 13).
///
///     try {
///       group.barrier();
///     } catch (const wherry::error& failure) {
///       if (failure.kind() != wherry::error_kind::lost) throw;
///       for (const int rank : failure.peers()) wherry::take_for_dead(comm, rank);  // then make a group without these
///     }
#pragma once

#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

/// The state of a rank as far as this rank knows it. `healthy` only says that no death is known.
///
/// **On the same node**, the operating system reports that a process has ended. Any wait in Wherry notices this within
/// about 0.3 seconds and throws error(lost) with the dead ranks as `peers`. A wait that needs certain ranks (the
/// collectives of a `rank_group`) throws only for these. A wait for any rank (notifications, passive messages,
/// agreements of all ranks) throws for any rank of the communicator, until `take_for_dead` is called for it. Surviving
/// ranks can therefore go on with groups without the dead ranks. A call with a limit of 0 seconds does not notice a
/// death; `health` does.
///
/// **On other nodes**, a rank hears of a death from a rank on the dead rank's node, once that rank has waited for 0.3
/// seconds. The hearing rank must itself be in a wait of Wherry on the same communicator, and this wait then throws
/// too. The death of a rank that was alone on its node is not seen by any rank, unless `end_rank` caused it. MPI may
/// report an error when something is sent to it (most MPIs end the job), and `ping` finds ranks that do not answer,
/// whether they are dead or not.
enum class rank_health : unsigned char {
  healthy,
  corrupt  ///< it has died, or this rank takes it for dead; this never changes back
};

/// The state of a rank. Local, and does not wait. @throws error(argument) for a rank that does not exist
rank_health health(const communicator& comm, int rank);
/// The states of all ranks, in rank order. Local.
std::vector<rank_health> health(const communicator& comm);

/// Marks a rank as corrupt on this rank, whether it lives or not. Waits for any rank no longer report its death. Local.
/// @throws error(argument) for a rank that does not exist, and for this rank itself
void take_for_dead(const communicator& comm, int rank);

/// Asks whether a rank lives. For a rank of the same node, the operating system knows. A rank of another node must
/// answer, which it does in any wait of Wherry on the same communicator, and not while it computes. A rank that has not
/// answered for too long can be marked by `take_for_dead`. Local.
/// @return false if the rank is corrupt, or has not answered within `seconds`; the same call then continues to wait for
///        the answer
/// @throws error(argument) for a rank that does not exist
bool ping(const communicator& comm, int rank, double seconds);

/// Ends another rank and marks it as corrupt. A rank of the same node gets SIGKILL; a rank of another node is asked to
/// kill itself, which it does in its next wait of Wherry on the same communicator. The launcher decides whether the job
/// goes on (docs/notify.md). Local.
/// @return false if the rank has not ended, or has not confirmed that it will, within `seconds`; the same call then
///        continues to wait
/// @throws error(argument) for a rank that does not exist, and for this rank itself
bool end_rank(const communicator& comm, int rank, double seconds);

}  // namespace wherry
