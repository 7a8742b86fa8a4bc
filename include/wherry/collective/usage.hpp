/// @file
/// What has been called, and what did it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct usage {
  kind what;
  std::string_view implementation;
  std::uint64_t calls;
};

/// Of this process, over all communicators: what has been called at all. Local.
std::vector<usage> usage_so_far();

/// Calls that MPI did, since what was chosen could not.
struct fallen_through {
  kind what;
  std::string_view wanted;  ///< the implementation that was chosen
  std::string_view why;     ///< it could not: see `obstacle`
  std::uint64_t calls;
};

/// They are among those of "mpi" in `usage_so_far`. Of this process, over all communicators. Local.
std::vector<fallen_through> fallen_through_so_far();

}  // namespace wherry::collective
