// The box with its particles as spheres.
#pragma once

#include <string>
#include <vector>

#include "start.hpp"

namespace liquid {

/// All particles at one time, and the rank of each.
struct snapshot {
  particles all;
  std::vector<int> owners;
};

/// Writes the snapshots side by side as a PNG picture. Each rank's particles have a colour. Local.
/// @throws std::runtime_error naming the file when it cannot be written
void draw(const std::string& file, double side, const std::vector<snapshot>& snapshots);

}  // namespace liquid
