// The pairs of particles that are near each other: each pair once, also if its particles are on two ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "start.hpp"

namespace liquid {

class pair_list {
 public:
  /// Lists the pairs that are at most `reach` apart and have at least one of the first `owned` particles. The others
  /// are ghosts. Local.
  void find(const particles& p, std::size_t owned, double reach);

  /// Computes the forces, also those on ghosts, and returns the energy of these pairs.
  double forces(particles& p) const;
  /// The energy of these pairs by the potential that is cut off without a shift.
  double cut_energy(const particles& p) const;

 private:
  template <class Visit> void for_each_near(const particles& p, Visit&& visit) const;

  std::vector<std::size_t> ends_;    // for each particle of this rank
  std::vector<std::size_t> others_;  // of its pairs
};

}  // namespace liquid
