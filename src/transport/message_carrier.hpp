#pragma once

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_two_sided(const bind_request& request);
std::unique_ptr<carrier> bind_persistent(const bind_request& request);

}  // namespace wherry
