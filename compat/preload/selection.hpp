// What is replaced: WHERRY_PRELOAD and WHERRY_PRELOAD_NONBLOCKING.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

struct selection {
  std::array<bool, collective::kinds> kinds{};
  bool nonblocking = false;
  bool report = true;
};

/// What the variables say; absent ones are empty. `fault` tells what is wrong with them: then nothing is replaced.
selection parse(std::string_view kinds, std::string_view nonblocking, std::string_view report, std::string& fault);

/// That of the environment, read at the first use. Nothing where a variable is wrong, or where this program's MPI is
/// not the one that the library was built with: each rank of whom this is true says so once.
const selection& selected();

}  // namespace wherry::preload
