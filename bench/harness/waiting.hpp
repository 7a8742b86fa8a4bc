/// @file
/// Waits for ranks that may share cores, because MPI's own waits poll without a pause.
#pragma once

#include <mpi.h>

#include <thread>

namespace bench {

/// True if this number of ranks on this machine share cores; an unknown number of cores is enough for all.
inline bool exceed_cores(int ranks) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores > 0 && ranks > cores;
}

/// Waits as MPI_Wait does, but pauses between two polls.
template <class Pause> void await_request(MPI_Request& request, Pause&& pause) {
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    pause();
  }
}

}  // namespace bench
