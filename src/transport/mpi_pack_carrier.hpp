// The transport `mpi_pack`; see mpi_pack_carrier.cpp.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

std::unique_ptr<carrier> bind_mpi_pack(const bind_request& request);

}  // namespace wherry
