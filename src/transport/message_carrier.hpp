// The transports `two_sided`, `persistent` and `device_two_sided`; see message_carrier.cpp.
#pragma once

#include <memory>
#include <string>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_two_sided(const bind_request& request);
std::unique_ptr<carrier> bind_persistent(const bind_request& request);
std::unique_ptr<carrier> bind_device_two_sided(const bind_request& request);

/// Why MPI does not reach the memory of the device in use; empty if it does.
std::string why_mpi_reaches_no_device();

}  // namespace wherry
