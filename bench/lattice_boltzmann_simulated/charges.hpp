/// @file
/// What computing and copying take in SimGrid's time, in which only messages and polls take any by themselves.
#pragma once

namespace charges {

/// Ticks are simulated seconds, of which tools/run/simgrid.py says what they stand for. 0: takes no time.
struct rates {
  double ticks_a_cell = 0, ticks_a_byte = 0;
  double copies_a_pack = 1;  ///< what the application packs by hand it copies so often
};
void set(const rates& wanted);

void computed(long cells);
void copied(double bytes);

}  // namespace charges
