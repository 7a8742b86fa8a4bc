/// @file
/// NAS FT on Wherry's x-arrays and movers.
#pragma once

#include "transposing.hpp"

namespace nas_ft {

/// All calls are collective.
class with_blocks {
 public:
  /// @param chunks number of blocks of each rank: with several, one is transformed while others move
  with_blocks(const wherry::communicator& comm, const problem& what, const rank_grid& ranks, int chunks,
              const transposing_options& how);

  /// Makes the random field.
  void fill();
  /// Finds the field's spectrum.
  void forward();
  /// Computes the field at time t.
  void evolve(int t);
  /// This rank's part of the checksum.
  complex checksum();

  double communicating() const { return forward_.communicating() + inverse_.communicating(); }
  std::string transport() const { return forward_.transport(); }
  std::string explain() const { return forward_.explain(); }

 private:
  problem problem_;
  std::vector<stage> stages_;
  std::vector<array> arrays_;  // one a stage: the field, …, its spectrum at time 0
  array decayed_;              // the spectrum at time t
  decay decay_;
  transposing_transform forward_, inverse_;
};

}  // namespace nas_ft
