#pragma once

#include <memory>
#include <string>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_two_sided(const bind_request& request);
std::unique_ptr<carrier> bind_persistent(const bind_request& request);
std::unique_ptr<carrier> bind_device_two_sided(const bind_request& request);

/// Of the device in use; empty where MPI reaches its memory.
std::string why_mpi_reaches_no_device();

}  // namespace wherry
