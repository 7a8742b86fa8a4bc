/// @file
/// What a result must say about the machine it was measured on.
#pragma once

#include <string>

#include "harness/json.hpp"

namespace bench {

/// "AMD EPYC, 2 cores".
std::string processor();
/// Name of this host.
std::string host_name();
/// Processor, cores, host, compiler, MPI.
json machine_record();

}  // namespace bench
