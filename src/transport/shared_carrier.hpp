#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Peers on the same node, without MPI: see shared_carrier.cpp.
/// @throws error(resource) on all ranks alike without shared memory.
std::unique_ptr<carrier> bind_shared(const bind_request& request);

}  // namespace wherry
