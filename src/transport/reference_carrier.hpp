// The transport `reference`; see reference_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_reference(const bind_request& request);

}  // namespace wherry
