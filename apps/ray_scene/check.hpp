/// @file
/// Checks that a scene and its picture are right.
#pragma once

#include <cstdint>

#include "picture.hpp"

namespace ray_scene {

/// The fingerprint of a scene's contents and of the structure of its tree; addresses do not count.
std::uint64_t fingerprint_of(const scene& s);

struct tree_measures {
  long nodes = 0;
  int depth = 0;
};
tree_measures measure(const scene& s);

/// Follows random rays, half of them from the camera and half of them between the triangles, through the tree and
/// against every triangle. Returns the number of the `rays` whose two results differ, which must be 0.
long wrong_rays(const scene& s, long rays, std::uint64_t seed);

/// Renders some of the tiles once more, on this rank alone. Returns the number of the `samples` tiles that differ in
/// any bit, which must be 0.
long differing_tiles(const scene& s, const picture_size& size, const std::vector<tile>& tiles, long samples,
                     std::uint64_t seed);

}  // namespace ray_scene
