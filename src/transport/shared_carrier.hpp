// The transport `shared`; see shared_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Carries messages to peers on the same node, without MPI.
/// @throws error(resource) on all ranks alike if there is no shared memory
std::unique_ptr<carrier> bind_shared(const bind_request& request);

}  // namespace wherry
