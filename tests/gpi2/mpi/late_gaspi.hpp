// A GASPI between the transport and ours that behaves as a network does: what is posted is carried out later, by
// another thread, in order only within a queue; queues hold few requests; a call may find no time.
#pragma once

namespace late_gaspi {

/// Requests that a queue holds.
inline constexpr int most_in_queue = 3;

/// The next request posted fails.
void fail_once();

/// How often a queue was full, and a buffer was asked for that was not free yet.
long times_full();
long times_late();

}  // namespace late_gaspi
