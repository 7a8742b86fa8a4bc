/// @file
/// Counts of the collectives that this process has called, by implementation. WHERRY_STATS=1 prints the same at the
/// end.
///
///     for (const auto& row : wherry::collective::usage_so_far()) report(row.what, row.implementation, row.calls);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// The number of calls of one collective by one implementation.
struct usage {
  kind what;
  std::string_view implementation;
  std::uint64_t calls;
};

/// The calls of this process, over all communicators; rows without calls are left out. Local.
std::vector<usage> usage_so_far();

/// Calls that MPI's own implementation ran because the chosen one could not.
struct fallen_through {
  kind what;
  std::string_view wanted;  ///< the implementation that was chosen
  std::string_view why;     ///< the reason, as from `obstacle`
  std::uint64_t calls;
};

/// The calls of this process that fell through to MPI, over all communicators. `usage_so_far` counts them under "mpi".
/// Local.
std::vector<fallen_through> fallen_through_so_far();

}  // namespace wherry::collective
