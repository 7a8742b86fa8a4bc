/// @file
/// All motion of data between a coarse and a fine level: the values of their cells, and the fluxes through the faces
/// between them.
#pragma once

#include "level.hpp"

namespace amr {

class coupling {
 public:
  /// Collective. The levels must outlive it.
  coupling(level& coarse, level& fine);

  /// Fills the ghost cells of the fine level that no fine block holds.
  void fill_ghosts();
  /// Fills all cells of the fine level from the coarse level.
  void fill_all();
  /// Sets the coarse flux through every face on the boundary of the fine level to the mean of the fine fluxes, so that
  /// the mass that leaves one level enters the other. (With one time step for all levels, refluxing needs no more than
  /// this.)
  void match_fluxes() {
    flow_x_.average_down();
    flow_y_.average_down();
  }
  /// Sets each coarse cell under fine cells to their mean.
  void average_down() { cells_.average_down(); }

 private:
  wherry::level_coupling<double, 2> cells_, flow_x_, flow_y_;
};

/// The least distance, in coarse cells, from a fine block to the end of the coarse level. The ghost cells of the block
/// are interpolated from these coarse cells.
inline constexpr index_t nesting = (ghost + ratio - 1) / ratio + 1;

}  // namespace amr
