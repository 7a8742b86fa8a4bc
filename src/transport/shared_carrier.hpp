#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Carries messages to peers on the same node without MPI: see shared_carrier.cpp.
std::unique_ptr<carrier> bind_shared(const bind_request& request);

}  // namespace wherry
