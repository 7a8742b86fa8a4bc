#include "harness/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "harness/ratios.hpp"
#include "harness/shuffled.hpp"
#include "harness/waiting.hpp"

namespace bench {
namespace {

double most_of_ranks(MPI_Comm comm, double mine) {
  double most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  return most;
}

/// Returns the microseconds of one run on this rank.
/// @param gross gets the microseconds of the run together with `prepare`, unless it is null
double sample(MPI_Comm comm, const method& m, int runs, double* gross = nullptr) {
  if (m.prepare || m.finish) {
    double sum = 0;
    for (int i = 0; i < runs; ++i) {
      if (m.prepare) m.prepare();
      MPI_Barrier(comm);
      const double began = now_us();
      m.run();
      sum += now_us() - began;
      if (m.finish) m.finish();
    }
    return sum / runs;
  }
  const auto loop = [&](int times, bool before, bool run) {
    const double began = now_us();
    for (int i = 0; i < times; ++i) {
      if (before) m.before();
      if (run) m.run();
    }
    return (now_us() - began) / times;
  };
  const bool before = static_cast<bool>(m.before);
  MPI_Barrier(comm);
  // This brings the method's own buffers and fields back into the caches, which the previous method has filled with its
  // own.
  loop(1 + (runs + 1) / 2, before, true);
  const double all = loop(runs, before, true);
  if (gross != nullptr) *gross = all;
  return before ? std::max(0.0, all - loop(runs, true, false)) : all;
}

/// The number of runs in one sample, the same on all ranks. It follows from the best of a few runs, because
/// disturbances only ever add time.
int calibrate(MPI_Comm comm, const method& m, const timing_options& options, double allowed_us) {
  double best = 1e12, spent = 0, most_gross = 0;
  for (int attempt = 0; attempt < 6 && (attempt == 0 || spent < allowed_us); ++attempt) {
    double gross = 0;
    const double once = most_of_ranks(comm, sample(comm, m, attempt < 2 ? 1 : 3, &gross));
    most_gross = std::max(most_gross, most_of_ranks(comm, gross));
    spent += 4 * std::max(once, most_gross);
    best = std::min(best, once);
  }
  // With more ranks than cores, the ranks leave a barrier milliseconds apart, which a sample of a few runs would count.
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const bool crowded = exceed_cores(ranks);
  const double fewest = crowded && !m.finish ? 20 : 1;  // methods with `finish` have a barrier before each run
  // The work before a run may take far longer than the run, and vary by more than the timed part.
  const double sample_us = options.sample_seconds * 1e6;
  const double most = most_gross > 0 ? std::clamp(20 * sample_us / most_gross, fewest, 1e5) : 1e5;
  return static_cast<int>(std::clamp(std::ceil(sample_us / std::max(best, 0.01)), fewest, most));
}

}  // namespace

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

std::vector<timing> measure(MPI_Comm comm, const std::vector<method>& methods, const timing_options& options) {
  const std::size_t count = methods.size();
  std::vector<int> runs;
  for (const auto& m : methods)
    runs.push_back(calibrate(comm, m, options, options.seconds * 0.2e6 / static_cast<double>(count)));

  std::vector<std::vector<double>> mine(count);
  const double end = now_us() + options.seconds * 1e6;
  int go = 1;
  shuffled order(count);
  for (std::size_t round = 0; go != 0; ++round) {
    for (const auto m : order.next_round()) mine[m].push_back(sample(comm, methods[m], runs[m]));
    const auto done = static_cast<int>(round) + 1;
    go = done < options.fewest_rounds || (done < options.most_rounds && now_us() < end) ? 1 : 0;
    MPI_Bcast(&go, 1, MPI_INT, 0, comm);
  }

  std::vector<timing> result;
  for (std::size_t m = 0; m < count; ++m) {
    std::vector<double> slowest(mine[m].size());
    MPI_Allreduce(mine[m].data(), slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE, MPI_MAX, comm);
    timing t;
    t.name = methods[m].name;
    t.group = methods[m].group;
    t.median = quantile(slowest, 0.5);
    t.lower_quartile = quantile(slowest, 0.25);
    t.upper_quartile = quantile(slowest, 0.75);
    t.mean = std::accumulate(slowest.begin(), slowest.end(), 0.0) / static_cast<double>(slowest.size());
    t.rounds = static_cast<int>(slowest.size());
    t.runs_a_sample = runs[m];
    t.samples = std::move(slowest);
    result.push_back(std::move(t));
  }
  return result;
}

}  // namespace bench
