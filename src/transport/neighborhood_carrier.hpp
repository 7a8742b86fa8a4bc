// The transport `neighborhood`; see neighborhood_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_neighborhood(const bind_request& request);

}  // namespace wherry
