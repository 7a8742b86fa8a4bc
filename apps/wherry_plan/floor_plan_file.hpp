// Reads floor plans from files that `floor_plan::to_json()` has written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace planning {

struct listed_box {
  int owner = 0;
  std::vector<std::int64_t> lower, upper;
};

/// @throws bench::usage_error that names the file, if it is not a complete floor plan of 1 to 4 dimensions
std::vector<listed_box> read_floor_plan(const std::string& path);

}  // namespace planning
