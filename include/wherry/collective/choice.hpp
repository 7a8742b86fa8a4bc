/// @file
/// The implementations of collectives, and the program's choice among them.
///
///     namespace collective = wherry::collective;
///     collective::choose(comm, collective::kind::allreduce, "shared");               // all sizes
///     collective::choose(comm, collective::kind::allreduce, "hierarchical", 65536);  // vectors of 64 KiB and more
///
/// A choice for a single call is an argument of `run`. For choices that were measured, see `tuning.hpp`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// One implementation.
struct implementation_info {
  std::string_view name;
  std::string_view what;  ///< a description in one line
  /// True if reductions give the same bits on all ranks, for vectors of all lengths, in all runs.
  bool reproducible;
};

/// All implementations that this library was built with; the first is "mpi", MPI's own. Local.
std::vector<implementation_info> implementations_there_are();

/// The reason why this implementation cannot do this call, so that MPI's own would run; empty if it can. Local once the
/// communicator has been set up, else collective over it.
/// @throws error(argument) for an unknown name, or an argument of the call that `run` would refuse
std::string_view obstacle(const call& what, std::string_view implementation);

/// From now on this implementation runs the calls of kind `what` on `comm` that have `from_bytes` or more. Collective
/// over `comm`. This choice goes before the tuning file and the environment.
/// @param from_bytes the bytes of a block, or of the vector that is broadcast or reduced; for blocks of different
///   sizes, of all blocks together. Calls with block sizes that not every rank knows ("v" and "w" forms,
///   neighbourhoods) count as 0 bytes
/// @throws error(argument) for an unknown name or a negative size, error(mismatch) if the ranks disagree; nothing is
///   changed then
void choose(any_communicator comm, kind what, std::string_view implementation, std::int64_t from_bytes = 0);

}  // namespace wherry::collective
