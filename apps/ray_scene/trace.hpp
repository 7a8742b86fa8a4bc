/// @file
/// Rays through a scene.
#pragma once

#include "scene.hpp"

namespace ray_scene {

/// The nearest triangle along a ray; `what` is null if there is none.
struct hit {
  const triangle* what = nullptr;
  double distance = 0, u = 0, v = 0;  ///< in lengths of the ray's direction; u and v: weights of corners 1 and 2
};

/// Finds the nearest triangle through the tree.
hit nearest(const scene& s, const ray& r);
/// Tests every triangle in turn. `nearest` must have the same result.
hit nearest_by_brute_force(const scene& s, const ray& r);

/// The colour that comes back along a ray. Components begin at 0, and 1 is white.
vec colour_along(const scene& s, const ray& r);

/// A ray from the camera; `x` and `y` run from -1 to 1, to the right and upwards.
ray ray_through(const camera& c, double x, double y);

}  // namespace ray_scene
