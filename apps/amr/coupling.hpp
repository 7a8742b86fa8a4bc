/// @file
/// All motion between a coarse and a fine level. Everything is described by floor plans of coarse cells or faces that
/// the owners of the fine boxes have; the movers bring them to and from the coarse boxes.
#pragma once

#include "level.hpp"

namespace amr {

class coupling {
 public:
  /// Collective. The levels must outlive it.
  coupling(level& coarse, level& fine);

  /// Ghost cells of the fine level from the coarse one. Those that fine neighbours have come from there, afterwards.
  void fill_ghosts();
  /// All cells of the fine level from the coarse one.
  void fill_all();
  /// The coarse flux through every face on the boundary of the fine level becomes the sum of the fine ones: what
  /// leaves one level enters the other. (With one time step for both levels this is all that refluxing has to do.)
  void match_fluxes();
  /// Coarse cells under fine ones become their mean.
  void average_down();

 private:
  level& fine_;
  array2 under_;  // the coarse cells under each fine box and its ghost cells, and one more around for slopes
  array2 means_;  // the coarse cells under each fine box
  wherry::mover fetch_, give_means_;
  struct registers {
    array2 flux;           // coarse faces
    std::vector<int> box;  // the fine box of each
  };
  std::array<registers, 2> registers_;
  wherry::mover give_fluxes_;
  static registers make_registers(level& coarse, level& fine, int dimension);
};

}  // namespace amr
