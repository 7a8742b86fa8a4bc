/// @file
/// Fills the ghost cells of a level by a mover and by hand in turn.
#pragma once

#include "level.hpp"

namespace amr {

struct comparison {
  long unlike = 0;               ///< number of cells that differ, on all ranks
  double ours = 0, by_hand = 0;  ///< microseconds: the median of the slowest rank's
};

/// Collective. Changes nothing but ghost cells.
comparison compare_ghosts(level& l);

}  // namespace amr
