#include "harness/steady.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "harness/waiting.hpp"

namespace bench {
namespace {

constexpr int attempts = 3;
constexpr double handshake_of_one_core_us = 2;  // slower than any pair of cores: both ranks were on one
constexpr double many_preemptions = 60;         // an idle system's own tasks cause a few

double preempted() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_nivcsw);
}

}  // namespace

void steady_timings::describe(json& to) const {
  to.add("before_us", before_us)
      .add("after_us", after_us)
      .add("preemptions", preemptions)
      .add("busy", busy)
      .add("steady", steady());
}

void steady_timings::write(json probe, const json& label, std::FILE* out) const {
  describe(probe);
  probe.write(out);
  for (const auto& t : timings) {
    json one = label;
    one.add("method", t.name)
        .add("group", t.group)
        .add("us", t.median)
        .add("lower_us", t.lower_quartile)
        .add("upper_us", t.upper_quartile)
        .add("mean_us", t.mean)
        .add("spread", t.spread())
        .add("rounds", t.rounds)
        .add("runs", t.runs_a_sample)
        .write(out);
  }
}

steady_timings measure_steadily(placement_probe& probe, MPI_Comm comm, const std::vector<method>& methods,
                                const timing_options& options) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const bool crowded = exceed_cores(ranks);
  steady_timings result;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    result.before_us = probe.handshake_us();
    const double switches = preempted(), began = now_us();
    result.timings = measure(comm, methods, options);
    const double mine = (preempted() - switches) / (now_us() - began) * 1e6;
    MPI_Allreduce(&mine, &result.preemptions, 1, MPI_DOUBLE, MPI_MAX, comm);
    result.after_us = probe.handshake_us();
    const double slower = std::max(result.before_us, result.after_us);
    result.busy = slower > handshake_of_one_core_us || (!crowded && result.preemptions > many_preemptions);
    if (result.busy || !placement_moved(result.before_us, result.after_us)) break;
  }
  return result;
}

}  // namespace bench
