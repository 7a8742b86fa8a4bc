/// @file
/// Counts the instructions and shared cache lines of collectives whose peers have arrived already.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

namespace bench::collective {

/// Counts for each collective and size, for the chosen implementation and for the named ones. Collective over
/// MPI_COMM_WORLD. False if the counting itself is wrong.
bool count(const std::vector<wherry::collective::kind>& kinds, const std::vector<int>& sizes,
           const std::vector<std::string>& implementations, std::FILE* out);

}  // namespace bench::collective
