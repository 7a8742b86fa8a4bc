/// @file
/// Which implementations there are, and which does what.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct implementation_info {
  std::string_view name;
  std::string_view what;  ///< one line for people
  /// Reductions give the same bits on all ranks, for vectors of all lengths, run after run.
  bool reproducible;
};

/// All that this library has been built with; the first one is "mpi", MPI's own.
std::vector<implementation_info> implementations_there_are();

/// Why this implementation cannot do this call: then MPI does it. Empty: it can. Local once the communicator is set up.
/// @throws error(argument) for a name that nobody has
std::string_view obstacle(const call& what, std::string_view implementation);

/// Collective over `comm`: from now on this implementation does calls of this kind on this communicator of `from_bytes`
/// or more (of a block, or of the vector that is broadcast or reduced; where blocks are not alike, of all together; the
/// "v" forms of which not every rank knows all blocks count as 0). Goes before the tuning file and the environment.
/// @throws error(argument) for a name that nobody has, error(mismatch) where ranks disagree; nothing is changed then
void choose(any_communicator comm, kind what, std::string_view implementation, std::int64_t from_bytes = 0);

}  // namespace wherry::collective
