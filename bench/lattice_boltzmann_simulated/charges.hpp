/// @file
/// The costs of computing and copying in SimGrid's time, in which by default only messages and polls take time.
#pragma once

namespace charges {

/// Ticks are simulated seconds (tools/run/simgrid.py explains the unit). 0: takes no time.
struct rates {
  double ticks_a_cell = 0, ticks_a_byte = 0;
  double copies_a_pack = 1;  ///< number of copies when the application packs by hand
};
void set(const rates& wanted);

void computed(long cells);
void copied(double bytes);

}  // namespace charges
