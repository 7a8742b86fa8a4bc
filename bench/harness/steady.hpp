/// @file
/// Timing together with what tells whether it counts: the placement of the cores, before and after.
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

  /// The placement did not change. Whether others used the cores, the spread of the ratios of each round tells.
  bool steady() const { return !one_core && !placement_moved(before_us, after_us); }
  /// Adds before_us, after_us, one_core and steady.
  void describe(json& to) const;
  /// Writes the probe's record with this description, and for each method a copy of `label` with what was measured.
  void write(json probe, const json& label, std::FILE* out) const;
};

/// Collective. Measures again, a few times, when the placement changed meanwhile.
steady_timings measure_steadily(placement_probe& probe, MPI_Comm comm, const std::vector<method>& methods,
                                const timing_options& options);

}  // namespace bench
