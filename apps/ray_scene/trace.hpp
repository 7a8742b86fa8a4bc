/// @file
/// Rays through a scene.
#pragma once

#include "scene.hpp"

namespace ray_scene {

/// The nearest triangle along a ray; `what` is null where there is none.
struct hit {
  const triangle* what = nullptr;
  double distance = 0, u = 0, v = 0;  ///< in lengths of the ray's direction; u and v: weights of corners 1 and 2
};

/// Through the tree.
hit nearest(const scene& s, const ray& r);
/// Every triangle in turn: what `nearest` must find.
hit nearest_by_brute_force(const scene& s, const ray& r);

/// The colour that comes back along a ray; components from 0 on, 1 is white.
vec colour_along(const scene& s, const ray& r);

/// From the camera; `x` and `y` from -1 to 1, right and up.
ray ray_through(const camera& c, double x, double y);

}  // namespace ray_scene
