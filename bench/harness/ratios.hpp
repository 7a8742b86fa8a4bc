/// @file
/// What two series of measurements that were taken beside each other say.
#pragma once

#include <vector>

namespace bench {

/// The value below which a share `p` (0 to 1) of the values lies, interpolated; 0 for none.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

/// Ours beside a peer, a sample of each a round.
struct comparison {
  double ours_us = 0, peer_us = 0, ratio = 0;  ///< medians; the ratio is ours / peer: below 1 ours is faster
  double spread = 0;                           ///< interquartile range of the rounds' ratios over their median
  bool steady = false;                         ///< the spread is small, and both halves of the rounds say the same
};
comparison compare(const std::vector<double>& ours_us, const std::vector<double>& peer_us);

}  // namespace bench
