/// @file
/// Makes scenes: triangles from meshes, a tree around them, a camera in front of them.
#pragma once

#include "mesh.hpp"
#include "scene.hpp"

namespace ray_scene {

/// Makes a scene of `copies` copies of a mesh, in rows on a chequered floor, seen from above, with its tree.
scene make_scene(const mesh& what, int copies);

/// Sorts the mesh and puts a tree of boxes around it: each leaf has one triangle, and each node is halved at the median
/// of the longest axis, so that the depth is at most log2 of the number of triangles, plus one. Nodes come from `new`.
tree_node* build_tree(std::vector<triangle>& mesh);

}  // namespace ray_scene
