// GPI-2's threads, as far as the end of GASPI concerns them.
#pragma once

namespace wherry::gaspi {

/// Threads that meet in gaspi_threads_sync_all look again whether they may wait on.
void wake_threads();

}  // namespace wherry::gaspi
