// The transport `one_sided`; see one_sided_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_one_sided(const bind_request& request);

}  // namespace wherry
