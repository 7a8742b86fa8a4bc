// WHERRY_STATS: prints the figures of an exchange, or of the streams of a communicator, when it ends.
#pragma once

#include <string_view>
#include <vector>

#include "wherry/channel/statistics.hpp"

namespace wherry {

/// Prints to standard error, on rank 0 or on all ranks as WHERRY_STATS says. Prints nothing if it says 0 or if nothing
/// was exchanged. It makes no MPI call, so that it may come after MPI_Finalize.
/// @param peers the peers, if the pattern does not name them
void report_statistics(std::string_view pattern, std::string_view transport, int rank, int size,
                       const exchange_statistics& counted, const std::vector<int>& peers = {});

}  // namespace wherry
