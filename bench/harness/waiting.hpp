/// @file
/// How ranks wait that may share cores: MPI's own waits look all the time.
#pragma once

#include <mpi.h>

#include <thread>

namespace bench {

/// Whether so many ranks of this machine share cores; an unknown number of cores is enough for all.
inline bool exceed_cores(int ranks) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores > 0 && ranks > cores;
}

/// As MPI_Wait, with a pause between two looks.
template <class Pause> void await_request(MPI_Request& request, Pause&& pause) {
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    pause();
  }
}

}  // namespace bench
