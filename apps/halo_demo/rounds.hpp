/// @file
/// Timing of several ways to do the same thing, in interleaved rounds, so that what disturbs the machine disturbs all.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace halo_demo {

struct contender {
  std::string name;
  std::function<void()> run;
};

/// Microseconds of one run on the slowest rank, a sample a round.
struct samples {
  std::string name;
  std::vector<double> us;
};

/// Collective. Rounds until `seconds` are over, at least three; each round times every contender once, in an
/// order drawn anew. `progress(fraction)` is called on all ranks.
std::vector<samples> measure(MPI_Comm comm, const std::vector<contender>& contenders, double seconds,
                             const std::function<void(double)>& progress);

}  // namespace halo_demo
