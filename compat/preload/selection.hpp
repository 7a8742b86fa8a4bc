// What is replaced, as the settings WHERRY_PRELOAD… say.
#pragma once

#include <array>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

/// Which calls may be left to MPI now and then, to see what it takes.
enum class comparing {
  none,
  same_bits,  ///< those that give the same bits whoever does them
  all
};

struct selection {
  std::array<bool, collective::kinds> kinds{};
  bool nonblocking = false;
  bool report = true;
  comparing compared = comparing::none;
};

/// What is set when it is first asked for. Nothing where a setting is wrong, or where this program's MPI is not the one
/// that the library was built with: each rank of whom this is true says so once.
const selection& selected();

}  // namespace wherry::preload
