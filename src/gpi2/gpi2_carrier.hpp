// The transport `gpi2`; see gpi2_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<transports::carrier> bind_gpi2(const transports::bind_request& request);

}  // namespace wherry
