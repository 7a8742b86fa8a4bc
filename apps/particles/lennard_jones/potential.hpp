// The force between two particles, in reduced units: lengths in sigma, energies in epsilon, masses in those of a
// particle.
#pragma once

#include <cmath>

namespace liquid {

/// No forces act beyond this distance.
constexpr double cutoff = 2.5;

/// The energy of a pair, and its force divided by the distance; a positive force pushes the two apart.
struct pair_law {
  double energy, force_by_distance;
};

/// The Lennard-Jones potential 4 (r^-12 - r^-6), cut off without a shift.
inline double cut_energy(double square) {
  const double r6 = 1 / (square * square * square);
  return 4 * r6 * (r6 - 1);
}

/// The Lennard-Jones potential with a shifted force: energy and force are continuous at the cut-off, so that the total
/// energy is conserved (S. Toxvaerd and J. C. Dyre, J. Chem. Phys. 134 (2011) 081102).
inline pair_law shifted_force(double square) {
  constexpr double cut6 = 1 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
  constexpr double energy_at_cut = 4 * cut6 * (cut6 - 1), force_at_cut = 24 * cut6 * (2 * cut6 - 1) / cutoff;
  const double r = std::sqrt(square), r6 = 1 / (square * square * square);
  return {4 * r6 * (r6 - 1) - energy_at_cut + (r - cutoff) * force_at_cut,
          24 * r6 * (2 * r6 - 1) / square - force_at_cut / r};
}

}  // namespace liquid
