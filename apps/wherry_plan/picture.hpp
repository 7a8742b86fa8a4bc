// A picture of the boxes of a plan and their nodes.
#pragma once

#include <string>
#include <vector>

namespace planning {

struct tile {
  double x = 0, y = 0, width = 0, height = 0;  // in cells
  int rank = 0, node = 0;
  bool worst = false;
};

/// Returns the picture as SVG.
std::string picture_of(const std::vector<tile>& tiles, const std::string& title);

}  // namespace planning
