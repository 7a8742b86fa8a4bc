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
  std::string name, text;                           ///< as the command line says it, and in words
  std::function<void(scene&, MPI_Comm)> broadcast;  ///< from rank 0; collective; `scene` is empty on the others
  std::function<void(scene&)> release;              ///< what `broadcast` made; the scene is empty afterwards
};

/// The library's first.
const std::vector<method>& methods();

/// Frees the nodes of a scene that was made here, by `make_scene`.
void release(scene& s);

}  // namespace ray_scene
