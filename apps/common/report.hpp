/// @file
/// One line about a figure that a program verifies.
#pragma once

#include <cmath>
#include <cstdio>

namespace apps {

/// Says whether `value` is within `bound`, on the rank that talks.
inline bool report(bool talks, const char* what, double value, double bound) {
  const bool right = std::abs(value) <= bound;  // false for NaN
  if (talks) std::printf("%-58s %9.2e, bound %.0e: %s\n", what, value, bound, right ? "verified" : "NOT VERIFIED");
  return right;
}

}  // namespace apps
