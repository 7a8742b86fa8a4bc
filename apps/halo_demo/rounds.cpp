#include "rounds.hpp"

#include <algorithm>

#include "harness/shuffled.hpp"

namespace halo_demo {
namespace {

/// A sample has as many runs as take about this long, because the clock is too coarse for shorter samples.
constexpr double sample_seconds = 2e-3;

/// Seconds of `runs` runs on the slowest rank.
double time_of(MPI_Comm comm, const contender& one, int runs) {
  MPI_Barrier(comm);
  const double began = MPI_Wtime();
  for (int i = 0; i < runs; ++i) one.run();
  double seconds = MPI_Wtime() - began;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

}  // namespace

std::vector<samples> measure(MPI_Comm comm, const std::vector<contender>& contenders, double seconds,
                             const std::function<void(double)>& progress) {
  std::vector<samples> result;
  std::vector<int> runs;
  double elapsed = 0;  // a sum of figures that all ranks have, so that all of them stop together
  for (const auto& one : contenders) {
    result.push_back({one.name, {}});
    elapsed += time_of(comm, one, 1);
    const double warm = time_of(comm, one, 1);
    elapsed += warm;
    runs.push_back(static_cast<int>(std::clamp(sample_seconds / warm, 1.0, 1000.0)));
  }
  bench::shuffled order(contenders.size());
  for (int round = 0; round < 3 || elapsed < seconds; ++round) {
    for (const auto which : order.next_round()) {
      const double took = time_of(comm, contenders[which], runs[which]);
      result[which].us.push_back(took / runs[which] * 1e6);
      elapsed += took;
    }
    progress(elapsed < seconds ? elapsed / seconds : 1.0);
  }
  return result;
}

}  // namespace halo_demo
