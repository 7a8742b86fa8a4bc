// The errors for calls of GASPI that fail.
#pragma once

#include <GASPI.h>

#include <string_view>

namespace wherry::gpi2 {

/// The pattern and rank that made a call.
struct caller {
  std::string_view where;  ///< the pattern
  int rank;                ///< in its communicator
};

/// @param peer the rank to which the call applied, in the caller's communicator and in GASPI's numbers; -1: none
/// @throws error(lost) if GASPI says that the peer is corrupt, otherwise error(state); both with GASPI's own words
[[noreturn]] void throw_failure(const caller& who, std::string_view call, gaspi_return_t status, int peer = -1,
                                int peer_in_gaspi = -1);

/// Throws if the call failed.
inline void check(const caller& who, std::string_view call, gaspi_return_t status) {
  if (status != GASPI_SUCCESS) throw_failure(who, call, status);
}

}  // namespace wherry::gpi2
