/// @file
/// The scene of MEL (listing 23): a camera, materials, triangles and a tree of boxes around them. The description
/// for a deep copy has four lines, in the two functions `describe`.
#pragma once

#include <cstdint>
#include <vector>

#include "vec.hpp"

namespace ray_scene {

struct camera {
  vec eye, forward, right, up;  ///< `right` and `up` reach from the middle of the picture to its sides
  double sight = 1;             ///< distance at which most is lost in the haze
};

struct material {
  vec colour, other_colour;
  double shine = 0;   ///< strength of the highlight
  double mirror = 0;  ///< share of the light that is reflected as by a mirror
  double check = 0;   ///< side of the squares of a chequered surface; 0: not chequered
};

struct triangle {
  vec corner[3], normal[3];
  std::int64_t material = 0;
};

/// A box around triangles `first` to `last - 1` of the mesh. A leaf has no children, any other node has both.
struct tree_node {
  int first = 0, last = 0;
  vec low, high;
  tree_node *left = nullptr, *right = nullptr;

  // begin: what a user writes
  template <class Message> void describe(Message& m) {
    m.owned(left);
    m.owned(right);
  }
  // end
};

struct scene {
  camera view;
  std::vector<material> materials;
  std::vector<triangle> mesh;
  tree_node* root = nullptr;  ///< the scene owns all nodes

  // begin: what a user writes
  template <class Message> void describe(Message& m) {
    m(mesh, materials);
    m.owned(root);
  }
  // end
};

static_assert(sizeof(tree_node) == 72 && sizeof(triangle) == 152, "as in the paper's own program");

}  // namespace ray_scene
