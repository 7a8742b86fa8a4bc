/// @file
/// A picture of the tuner's results.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace tuning {

/// The best implementation of one collective at one size.
struct finding {
  wherry::collective::kind what;
  int bytes;
  std::string implementation;
  double ratio;  ///< its time divided by that of MPI's own call; 1 for MPI's own call
};

/// Makes an SVG with a row for each collective and a column for each size. Each cell shows the best implementation in
/// its colour, and its ratio.
/// @param title a line above it
std::string picture_of(const std::vector<finding>& found, const std::string& title);

}  // namespace tuning
