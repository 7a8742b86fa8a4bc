// The library's own transports. Each `bind` stands with its carrier: see shared_carrier.cpp and its like.
#pragma once

#include <memory>
#include <string>

#include "wherry/transport/transport.hpp"

namespace wherry {

// message_carrier.cpp
std::unique_ptr<transports::carrier> bind_two_sided(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_persistent(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_device_two_sided(const transports::bind_request& request);

std::unique_ptr<transports::carrier> bind_aggregated(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_datatype(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_device_shared(const transports::bind_request& request);  // lent_carrier.cpp
std::unique_ptr<transports::carrier> bind_mpi_pack(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_neighborhood(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_one_sided(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_reference(const transports::bind_request& request);
/// @throws error(resource) on all ranks alike if there is no shared memory
std::unique_ptr<transports::carrier> bind_shared(const transports::bind_request& request);
std::unique_ptr<transports::carrier> bind_total_exchange(const transports::bind_request& request);

/// Why MPI does not reach the memory of the device in use; empty if it does.
std::string why_mpi_reaches_no_device();

/// True if this rank's part is one stage with a message of one size to and from every other rank, if that size is so
/// small that MPI may forward the messages, and if there are so many ranks that fewer rounds than messages may pay.
/// Local; the exchange is a total exchange if it is true on all ranks.
bool is_small_total_exchange(const plans::schedule& plan, const communicator& comm);

/// The expected microseconds for one message of a total exchange.
double cost_in_total_exchange(const transports::message_load& load);

}  // namespace wherry
