/// @file
/// The facts about the machine that every result must include.
#pragma once

#include <string>

#include "harness/json.hpp"

namespace bench {

/// The processor and its cores, such as "AMD EPYC, 2 cores".
std::string processor();
/// The name of this host.
std::string host_name();
/// A record with the processor, cores, host, compiler and MPI.
json machine_record();

}  // namespace bench
