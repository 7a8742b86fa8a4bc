/// @file
/// All motion between a coarse and a fine level: of what is in their cells, and of the fluxes through the faces between
/// them.
#pragma once

#include "level.hpp"

namespace amr {

class coupling {
 public:
  /// Collective. The levels must outlive it.
  coupling(level& coarse, level& fine);

  /// Ghost cells of the fine level that no fine block has.
  void fill_ghosts();
  /// All cells of the fine level from the coarse one.
  void fill_all();
  /// The coarse flux through every face on the boundary of the fine level becomes the mean of the fine ones: what
  /// leaves one level enters the other. (With one time step for all levels this is all that refluxing has to do.)
  void match_fluxes() {
    flow_x_.average_down();
    flow_y_.average_down();
  }
  /// Coarse cells under fine ones become their mean.
  void average_down() { cells_.average_down(); }

 private:
  wherry::level_coupling<double, 2> cells_, flow_x_, flow_y_;
};

/// Coarse cells that a fine block is away from the end of the coarse level: what its ghost cells are interpolated from.
inline constexpr index_t nesting = (ghost + ratio - 1) / ratio + 1;

}  // namespace amr
