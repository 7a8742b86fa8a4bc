/// @file
/// Times several ways to do the same thing in interleaved rounds, so that a disturbance of the machine affects all of
/// them.
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

/// The microseconds of one run on the slowest rank, one sample for each round.
struct samples {
  std::string name;
  std::vector<double> us;
};

/// Collective. Runs rounds until `seconds` are over, at least three. Each round times every contender once, in a new
/// random order. `progress(fraction)` is called on all ranks.
std::vector<samples> measure(MPI_Comm comm, const std::vector<contender>& contenders, double seconds,
                             const std::function<void(double)>& progress);

}  // namespace halo_demo
