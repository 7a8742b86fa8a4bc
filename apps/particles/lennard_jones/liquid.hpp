// A liquid that is divided among ranks: each has the particles in its part of the box, and ghosts of those near it.
#pragma once

#include <cstddef>

#include "wherry/wherry.hpp"

#include "pairs.hpp"
#include "potential.hpp"
#include "start.hpp"

namespace liquid {

/// Sums over all particles.
struct sums {
  double kinetic = 0, potential = 0, count = 0;
  double momentum[3] = {0, 0, 0};
  double energy() const { return kinetic + potential; }
};

class simulation {
 public:
  /// Collective. Rank 0 makes the particles; the first move brings them to their owners.
  simulation(const wherry::communicator& comm, const box_of_liquid& box, double dt);

  /// Advances by one step of velocity Verlet. Collective.
  void step();
  /// Collective.
  sums measure() const;
  /// Returns the energy of all pairs by the potential that is cut off without a shift. Collective.
  double cut_energy() const;
  /// Returns all particles on rank 0, and an empty list on the others. Collective.
  /// @param owners gets the rank that each came from
  particles gather(std::vector<int>& owners) const;

  /// The largest distance of a particle of this rank from its place at the last move before this one. Forces are
  /// complete while it is at most half the skin.
  double farthest() const { return farthest_; }
  static constexpr double skin = 0.4;
  static constexpr int steps_between_moves = 8;

 private:
  void move();
  void compute_forces();
  void kick();
  void drift();
  void note_distances();

  const wherry::communicator comm_;
  double dt_;
  wherry::particle_exchange<3> migrate_;
  wherry::ghost_particles<3> ghosts_;
  particles p_;
  pair_list pairs_;
  std::vector<double> x_then_, y_then_, z_then_;  // at the last move
  double potential_ = 0, farthest_ = 0;
  long steps_ = 0;
};

}  // namespace liquid
