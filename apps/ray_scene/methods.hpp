/// @file
/// The ways to broadcast a scene.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "scene.hpp"

namespace ray_scene {

struct method {
  std::string name, text;                           ///< the name on the command line, and a description
  std::function<void(scene&, MPI_Comm)> broadcast;  ///< from rank 0; collective; `scene` is empty on the others
  std::function<void(scene&)> release;              ///< frees the result of `broadcast`; the scene is empty afterwards
};

/// All methods; the library's come first.
const std::vector<method>& methods();

/// Frees the nodes of a scene that this rank has made by `make_scene`.
void release(scene& s);

}  // namespace ray_scene
