// The part of GPI-2's threads that gaspi_proc_term needs.
#pragma once

namespace wherry::gaspi {

/// Wakes the threads that wait in gaspi_threads_sync_all, so that they check whether they may wait on.
void wake_threads();

}  // namespace wherry::gaspi
