/// @file
/// The solution and the boxes as a picture.
#pragma once

#include <string>

#include "hierarchy.hpp"

namespace amr {

/// Collective; rank 0 writes a portable pixmap: the finest values at each place in colours, coarse boxes outlined in
/// grey and fine boxes in blue.
/// @throws std::runtime_error naming the file when it cannot be written
void draw(const hierarchy& h, const std::string& file);

}  // namespace amr
