// The transport `gpi2`; see gpi2_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_gpi2(const bind_request& request);

}  // namespace wherry
