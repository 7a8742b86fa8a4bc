// The bytes that a call moves for one rank, whichever way its implementation carries it.
#pragma once

#include "wherry/channel/statistics.hpp"
#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct communicator_state;

/// The statistics of one call as one exchange. Local; the arguments have been checked. Sent: the bytes of this rank
/// that others get, each once, however many ranks get it. Received: the bytes that this rank gets from others; for a
/// reduction, its result. Copied: the bytes that this rank sends to itself.
exchange_statistics moved_by(const call& what, const communicator_state& on);

}  // namespace wherry::collective
