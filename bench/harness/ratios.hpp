/// @file
/// Compares two series of measurements that were taken side by side.
#pragma once

#include <vector>

namespace bench {

/// The value below which a share `p` (0 to 1) of the values lies, interpolated; 0 if there are no values.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

/// Wherry beside a peer, with a sample of each from every round.
struct comparison {
  double ours_us = 0, peer_us = 0, ratio = 0;  ///< medians; the ratio is ours / peer: below 1 ours is faster
  double spread = 0;                           ///< interquartile range of the rounds' ratios over their median
  bool steady = false;                         ///< the spread is small, and both halves of the rounds agree
};
comparison compare(const std::vector<double>& ours_us, const std::vector<double>& peer_us);

}  // namespace bench
