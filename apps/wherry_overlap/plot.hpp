/// @file
/// A picture of the overlap: the paper's figure 5, and below it the gain of a program.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace overlap {

/// The result for one collective at one size.
struct finding {
  wherry::collective::kind what;
  int bytes;
  std::string implementation;
  double percent;  ///< ovl%, the paper's
  double honest;   ///< T / (C_clean + N)
};

/// Makes an SVG with a column for each collective, which shows ovl% by size and below it the honest figure, with a line
/// for each implementation.
/// @param title a line above it
std::string picture_of(const std::vector<finding>& found, const std::string& title);

}  // namespace overlap
