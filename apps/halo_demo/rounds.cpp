#include "rounds.hpp"

#include <algorithm>
#include <cmath>

namespace halo_demo {
namespace {

/// A sample is as many runs as take about this long: shorter ones drown in the clock.
constexpr double sample_seconds = 2e-3;

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

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

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<samples> measure(MPI_Comm comm, const std::vector<contender>& contenders, double seconds,
                             const std::function<void(double)>& progress) {
  std::vector<samples> result;
  std::vector<int> runs;
  double elapsed = 0;  // sums of what all ranks know, so that all of them stop together
  for (const auto& one : contenders) {
    result.push_back({one.name, {}});
    elapsed += time_of(comm, one, 1);
    const double warm = time_of(comm, one, 1);
    elapsed += warm;
    runs.push_back(static_cast<int>(std::clamp(sample_seconds / warm, 1.0, 1000.0)));
  }
  for (std::size_t round = 0; round < 3 || elapsed < seconds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const std::size_t which = (i + round) % contenders.size();
      const double took = time_of(comm, contenders[which], runs[which]);
      result[which].us.push_back(took / runs[which] * 1e6);
      elapsed += took;
    }
    progress(elapsed < seconds ? elapsed / seconds : 1.0);
  }
  return result;
}

comparison compare(const samples& ours, const samples& peer) {
  comparison result;
  result.ours_us = median(ours.us);
  result.peer_us = median(peer.us);
  result.ratio = result.ours_us / result.peer_us;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.us.size(); ++i) ratios.push_back(ours.us[i] / peer.us[i]);
  const double middle = median(ratios);
  result.spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / middle;
  const auto half = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  const double first = median({ratios.begin(), half}), second = median({half, ratios.end()});
  result.steady = result.spread < 0.2 && std::abs(first - second) < 0.1 * middle;
  return result;
}

}  // namespace halo_demo
