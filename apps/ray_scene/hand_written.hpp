/// @file
/// The broadcast of a scene, written by hand on MPI as in paper 3, listings 24 and 25: what `wherry::deep::broadcast`
/// takes off the user's hands. They carry scenes, from one rank to all, below 2 GiB, and nothing else.
#pragma once

#include <mpi.h>

#include <new>

#include "scene.hpp"

namespace ray_scene {

/// Where nodes come from: as in the paper's listings, or as cheaply as anywhere.
struct mpi_memory {
  static tree_node* node();
  static void free(tree_node* node) { MPI_Free_mem(node); }
};
struct heap_memory {
  static tree_node* node() { return new tree_node; }
  static void free(tree_node* node) { delete node; }
};

/// A message a node (listing 24). Collective; `s` is empty on all ranks but `root`.
template <class Memory> void broadcast_by_hand(scene& s, int root, MPI_Comm comm);
/// All in one buffer, packed and unpacked (listing 25).
template <class Memory> void broadcast_buffered_by_hand(scene& s, int root, MPI_Comm comm);
/// Frees the tree; the scene is empty afterwards.
template <class Memory> void free_by_hand(scene& s);

}  // namespace ray_scene
