// What is said of a call of GASPI's that failed.
#pragma once

#include <GASPI.h>

#include <string_view>

namespace wherry::gpi2 {

/// Whose call it was.
struct caller {
  std::string_view where;  ///< the pattern
  int rank;                ///< in its communicator
};

/// @param peer the rank it was about, in the caller's communicator and GASPI's; -1: none
/// @throws error(lost) where GASPI says that the peer is corrupt, else error(state); both with GASPI's own words
[[noreturn]] void throw_failure(const caller& who, std::string_view call, gaspi_return_t status, int peer = -1,
                                int peer_in_gaspi = -1);

/// Throws unless it was a success.
inline void check(const caller& who, std::string_view call, gaspi_return_t status) {
  if (status != GASPI_SUCCESS) throw_failure(who, call, status);
}

}  // namespace wherry::gpi2
