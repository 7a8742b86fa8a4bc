#include "harness/steady.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr int attempts = 3;
constexpr double handshake_of_one_core_us = 2;  // slower than any pair of cores, so both ranks were on one core

}  // namespace

void steady_timings::describe(json& to) const {
  to.add("before_us", before_us).add("after_us", after_us).add("one_core", one_core).add("steady", steady());
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
        .add("samples", t.samples)
        .write(out);
  }
}

steady_timings measure_steadily(placement_probe& probe, MPI_Comm comm, const std::vector<method>& methods,
                                const timing_options& options) {
  steady_timings result;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    result.before_us = probe.handshake_us();
    result.timings = measure(comm, methods, options);
    result.after_us = probe.handshake_us();
    result.one_core = std::max(result.before_us, result.after_us) > handshake_of_one_core_us;
    if (result.one_core || !placement_moved(result.before_us, result.after_us)) break;
  }
  return result;
}

}  // namespace bench
