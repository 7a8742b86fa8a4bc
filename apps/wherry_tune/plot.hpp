/// @file
/// A picture of what the tuner has found.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace tuning {

/// What was best of one collective at one size.
struct finding {
  wherry::collective::kind what;
  int bytes;
  std::string implementation;
  double ratio;  ///< its time over that of MPI's own call; 1 for that
};

/// An SVG: a row for each collective, a column for each size, in each cell who is best, coloured, and its ratio.
/// @param title a line above it
std::string picture_of(const std::vector<finding>& found, const std::string& title);

}  // namespace tuning
