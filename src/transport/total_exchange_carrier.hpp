// See total_exchange_carrier.cpp.
#pragma once

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_total_exchange(const bind_request& request);

/// Whether this rank's part is one stage with a message of one size to and from every other rank, so small that a
/// collective in fewer rounds than there are ranks is expected to be faster than a message to each of those on other
/// nodes. Local; it is a total exchange where it is true on all ranks.
bool total_exchange_pays(const schedule& plan, const communicator& comm);

/// Expected microseconds for one message of a total exchange of 8 ranks.
double cost_in_total_exchange(double bytes, double blocks);

}  // namespace wherry
