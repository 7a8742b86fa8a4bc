/// @file
/// Timing together with the placement of the cores before and after it, which tells whether the timing is valid.
#pragma once

#include <vector>

#include "harness/json.hpp"
#include "harness/placement.hpp"
#include "harness/timing.hpp"

namespace bench {

struct steady_timings {
  std::vector<timing> timings;
  double before_us = 0, after_us = 0;  ///< the placement probe
  bool one_core = false;               ///< the two ranks of the probe shared a core

  /// True if the placement did not change. The spread of the ratios of the rounds tells whether other programs used the
  /// cores.
  bool steady() const { return !one_core && !placement_moved(before_us, after_us); }
  /// Adds before_us, after_us, one_core and steady.
  void describe(json& to) const;
  /// Writes the probe's record with this description, and for each method a copy of `label` with its measurements.
  void write(json probe, const json& label, std::FILE* out) const;
};

/// Collective. Measures again, at most a few times, if the placement changed meanwhile.
steady_timings measure_steadily(placement_probe& probe, MPI_Comm comm, const std::vector<method>& methods,
                                const timing_options& options);

}  // namespace bench
