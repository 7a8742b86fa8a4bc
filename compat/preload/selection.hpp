// The calls that are replaced, by the settings WHERRY_PRELOAD….
#pragma once

#include <array>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

/// Which calls may now and then be left to MPI, to measure how long MPI takes.
enum class comparing {
  none,
  same_bits,  ///< those whose result has the same bits either way
  all
};

struct selection {
  std::array<bool, collective::kinds> kinds{};
  bool nonblocking = false;
  bool report = true;
  comparing compared = comparing::none;
};

/// The settings, read at the first call. Nothing is selected if a setting is wrong, or if this program's MPI is not the
/// one with which the library was built; each rank for which this is so says it once.
const selection& selected();

}  // namespace wherry::preload
