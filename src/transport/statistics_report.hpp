// WHERRY_STATS: what an exchange has moved, printed when it ends.
#pragma once

#include <string_view>

#include "wherry/transport/exchange.hpp"

namespace wherry {

/// Prints to standard error, on rank 0 or on all as WHERRY_STATS says; nothing where it says 0 or nothing was
/// exchanged. Makes no MPI call, so that it may come after MPI_Finalize.
void report_statistics(std::string_view pattern, std::string_view transport, const communicator& comm,
                       const exchange_statistics& counted);

}  // namespace wherry
