// Charges in a plane that is periodic in both directions, in a magnetic field at right angles to it.
#pragma once

#include <vector>

namespace charges {

/// An array for each property. The unit of length is a cell.
struct particles {
  std::vector<double> x, y, vx, vy, charge;
  std::vector<int> id;
};

/// Two rings that cross each other, one of positive and one of negative charges of size 1, with random velocities. The
/// charges are `count` and add up to 0.
/// @param cells along each side of the plane
/// @param turn the steps in which the magnetic field turns a velocity around once
particles two_rings(int cells, int count, int turn);

/// A charge of 1 at each quarter of each cell.
particles lattice(int cells);

/// Turns the velocities, one way or the other by the sign of the charge, and moves the particles by one step. All are
/// back at their places after `turn` steps, as far as rounding allows.
void push(particles& p, int turn);

}  // namespace charges
