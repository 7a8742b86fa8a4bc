// What a call moves for one rank, whichever way its implementation carries it.
#pragma once

#include "wherry/channel/statistics.hpp"
#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct communicator_state;

/// Sent: what others get of this rank's, each byte once, however many get it. Received: what this rank gets of others',
/// of a reduction its result. Copied: what goes to itself. Of one that is an exchange; local. The arguments are right.
exchange_statistics moved_by(const call& what, const communicator_state& on);

}  // namespace wherry::collective
