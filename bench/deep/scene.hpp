/// @file
/// The scene of MEL's ray tracer: vectors of triangles and materials, and a tree of bounding volumes. 2^17 nodes
/// are 19.4 MB.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench::deep {

struct vec {
  double x, y, z;
};

struct triangle {
  vec corners[3], normals[3];
  int material;
};

struct material {
  vec diffuse, specular, emission;
  double shininess;
};

struct camera {
  vec position, direction, up;
  double field_of_view;
};

struct tree_node {
  int first = 0, last = 0;  ///< of the triangles inside
  vec low{}, high{};
  tree_node *left = nullptr, *right = nullptr;

  // begin: what a user writes (Wherry)
  template <class Message> void describe(Message& m) {
    m.owned(left);
    m.owned(right);
  }
  // end
};
static_assert(sizeof(tree_node) == 72 && sizeof(triangle) == 152);

/// The members of a node that are not pointers.
inline constexpr std::size_t node_head = offsetof(tree_node, left);

struct scene {
  camera view{};
  std::vector<material> materials;
  std::vector<triangle> mesh;
  tree_node* root = nullptr;

  // begin: what a user writes (Wherry)
  template <class Message> void describe(Message& m) {
    m(materials, mesh);
    m.owned(root);
  }
  // end
};

/// Makes a full tree of `nodes - 1` nodes over `nodes / 2` triangles, node by node in depth-first order as a builder
/// does. It is the same on all ranks. `nodes` is a power of two.
void make(scene& result, int nodes);

bool same(const scene& a, const scene& b);

/// Frees each node by `free_node(tree_node*)`, which must match its allocation.
template <class Free> void free_tree(tree_node* root, Free free_node) {
  std::vector<tree_node*> open;
  if (root != nullptr) open.push_back(root);
  while (!open.empty()) {
    tree_node* const node = open.back();
    open.pop_back();
    for (tree_node* child : {node->right, node->left})
      if (child != nullptr) open.push_back(child);
    free_node(node);
  }
}

/// Frees nodes that were made by `new`, and leaves an empty scene.
void clear(scene& s);

/// The numbers of bytes of all allocations that make the structure, in the order in which it is read.
std::vector<std::size_t> allocations_of(const scene& s);

/// The bytes of the structure, without the overhead of an allocator.
std::size_t bytes_of(const scene& s);

}  // namespace bench::deep
