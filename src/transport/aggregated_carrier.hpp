// The transport `aggregated`; see aggregated_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_aggregated(const bind_request& request);

}  // namespace wherry
