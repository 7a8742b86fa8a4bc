/// @file
/// Broadcasts of a scene, written by hand with MPI as in MEL, listings 24 and 25. `wherry::deep::bcast` does
/// this work for the user. The functions broadcast scenes below 2 GiB from one rank to all, and nothing else.
#pragma once

#include <mpi.h>

#include <new>

#include "scene.hpp"

namespace ray_scene {

/// The source of the nodes' memory: as in the paper's listings, or the cheapest one.
struct mpi_memory {
  static tree_node* node();
  static void free(tree_node* node) { MPI_Free_mem(node); }
};
struct heap_memory {
  static tree_node* node() { return new tree_node; }
  static void free(tree_node* node) { delete node; }
};

/// Sends one message for each node (listing 24). Collective; `s` must be empty on all ranks but `root`.
template <class Memory> void broadcast_by_hand(scene& s, int root, MPI_Comm comm);
/// Packs everything in one buffer and unpacks it (listing 25).
template <class Memory> void broadcast_buffered_by_hand(scene& s, int root, MPI_Comm comm);
/// Frees the tree; the scene is empty afterwards.
template <class Memory> void free_by_hand(scene& s);

}  // namespace ray_scene
