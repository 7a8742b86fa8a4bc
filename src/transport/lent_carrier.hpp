// The transport `device_shared`; see lent_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_device_shared(const bind_request& request);

}  // namespace wherry
