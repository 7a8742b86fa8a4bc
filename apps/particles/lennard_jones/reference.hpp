// The same liquid without Wherry: one rank, and all pairs of particles.
#pragma once

#include "start.hpp"

namespace liquid {

/// Advances all particles of `crystal(box)` by `steps` steps, and returns them in the order of their ids. Local.
particles advanced_alone(const box_of_liquid& box, double dt, int steps);

/// Returns the largest distance between particles with the same id, across the sides of the box, too; infinity if the
/// lists do not have the same particles.
double largest_distance(const box_of_liquid& box, const particles& alone, const particles& gathered);

}  // namespace liquid
