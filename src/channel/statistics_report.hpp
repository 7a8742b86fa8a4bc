// WHERRY_STATS: what an exchange, or the streams of a communicator, have moved, printed when that ends.
#pragma once

#include <string_view>
#include <vector>

#include "wherry/channel/statistics.hpp"

namespace wherry {

/// Prints to standard error, on rank 0 or on all as WHERRY_STATS says; nothing where it says 0 or nothing was
/// exchanged. Makes no MPI call, so that it may come after MPI_Finalize.
/// @param peers with whom, where that is not said elsewhere
void report_statistics(std::string_view pattern, std::string_view transport, int rank, int size,
                       const exchange_statistics& counted, const std::vector<int>& peers = {});

}  // namespace wherry
