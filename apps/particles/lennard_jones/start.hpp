// The particles at the start: a crystal that melts.
#pragma once

#include <vector>

namespace liquid {

/// An array for each coordinate of the positions, velocities and forces. Particles are named by `id`, because their
/// places in the arrays change.
struct particles {
  std::vector<double> x, y, z, vx, vy, vz, fx, fy, fz;
  std::vector<int> id;
};

/// A cubic box whose opposite sides meet, with the state of the Lennard-Jones benchmark of LAMMPS.
struct box_of_liquid {
  int cells;  ///< of the crystal along each side, with 4 particles each
  int seed;   ///< of the velocities
  static constexpr double density = 0.8442, temperature = 1.44;

  int count() const { return 4 * cells * cells * cells; }
  double side() const;
};

/// All particles on the places of a face-centred cubic crystal, with random velocities that have no sum.
particles crystal(const box_of_liquid& box);

}  // namespace liquid
