// The charges on the mesh as a picture.
#pragma once

#include <string>
#include <vector>

#include "wherry/wherry.hpp"

namespace charges {

/// Writes the densities side by side as a PNG picture: positive charges red, negative ones blue, and the boxes with
/// outlines in the colours of their ranks. Local.
/// @param densities of all nodes, in rows from the lowest
/// @throws std::runtime_error naming the file when it cannot be written
void draw(const std::string& file, const wherry::floor_plan<2>& boxes,
          const std::vector<std::vector<double>>& densities);

}  // namespace charges
