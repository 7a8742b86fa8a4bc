/// @file
/// Triangle meshes and Wavefront OBJ files.
#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

#include "vec.hpp"

namespace ray_scene {

struct mesh {
  struct corner {
    std::size_t point, normal;
  };
  std::vector<vec> points, normals;
  std::vector<std::array<corner, 3>> faces;
};

/// Reads the points, normals and faces of a Wavefront OBJ text, and ignores everything else in it. Polygons become
/// triangles; corners without a normal get the mean of the faces around their point.
/// @throws std::runtime_error that names `name` and the line, if the text is not in OBJ format or has no faces
mesh read_obj(std::istream& from, const std::string& name);

/// Writes the mesh so that reading gives back the same bits.
void write_obj(std::ostream& to, const mesh& what);

}  // namespace ray_scene
