/// @file
/// Times several methods together: interleaved rounds in one run, medians, and spread.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way to do the work. All ranks have the same methods in the same order.
struct method {
  std::string name;
  std::string group;                ///< "ours", "hand-written", "limit", …
  std::function<void()> run;        ///< what is timed
  std::function<void()> prepare{};  ///< not timed, before every run; may be empty
  std::function<void()> finish{};   ///< not timed, after every run; may be empty
  /// The work of a program between two runs, without a barrier. It is timed together with the run, then alone, and
  /// subtracted. May be empty; not together with `prepare` or `finish`.
  std::function<void()> before{};
};

/// The measurements of one method: microseconds of one run on the slowest rank.
struct timing {
  std::string name, group;
  double median = 0, lower_quartile = 0, upper_quartile = 0, mean = 0;
  int rounds = 0;
  int runs_a_sample = 0;
  std::vector<double> samples;  ///< one for each round; the same index means the same round for all methods

  /// The interquartile range divided by the median.
  double spread() const { return median > 0 ? (upper_quartile - lower_quartile) / median : 0; }
};

struct timing_options {
  double seconds = 2;              ///< for all methods together
  double sample_seconds = 0.5e-3;  ///< a sample is as many runs as take this long
  int fewest_rounds = 3;
  int most_rounds = 2000;
};

/// Collective over `comm`. Each round times every method once, in a new random order.
std::vector<timing> measure(MPI_Comm comm, const std::vector<method>& methods, const timing_options& options);

/// The microseconds since an arbitrary moment.
double now_us();

}  // namespace bench
