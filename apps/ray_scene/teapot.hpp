/// @file
/// The Utah teapot.
#pragma once

#include <array>
#include <vector>

#include "mesh.hpp"

namespace ray_scene {

/// The control points of a bicubic Bézier patch, row by row.
using bezier_patch = std::array<std::array<vec, 4>, 4>;

/// Martin Newell's teapot of 1975: 32 patches; it stands on z = 0, its spout points to x.
std::vector<bezier_patch> teapot_patches();

/// Makes a mesh of `detail` x `detail` squares for each patch, with two triangles each, without triangles that have no
/// area.
mesh tessellate(const std::vector<bezier_patch>& patches, int detail);

}  // namespace ray_scene
