// The transport `total_exchange`; see total_exchange_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_total_exchange(const bind_request& request);

/// True if this rank's part is one stage with a message of one size to and from every other rank, if that size is so
/// small that MPI may forward the messages, and if there are so many ranks that fewer rounds than messages may pay.
/// Local; the exchange is a total exchange if it is true on all ranks.
bool is_small_total_exchange(const schedule& plan, const communicator& comm);

/// The expected microseconds for one message of a total exchange.
double cost_in_total_exchange(const message_load& load);

}  // namespace wherry
