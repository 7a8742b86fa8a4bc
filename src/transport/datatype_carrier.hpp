// The transport `datatype`; see datatype_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_datatype(const bind_request& request);

}  // namespace wherry
