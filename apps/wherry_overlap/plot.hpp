/// @file
/// A picture of what can be hidden: the paper's figure 5, and below it what a program gains.
#pragma once

#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

namespace overlap {

/// What was found of one collective at one size.
struct finding {
  wherry::collective::kind what;
  int bytes;
  std::string implementation;
  double percent;  ///< ovl%, the paper's
  double honest;   ///< T / (C_clean + N)
};

/// An SVG: a column for each collective, by size ovl% and below it the honest figure, a line for each implementation.
/// @param title a line above it
std::string picture_of(const std::vector<finding>& found, const std::string& title);

}  // namespace overlap
