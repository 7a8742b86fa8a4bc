/// @file
/// Instructions and shared lines of collectives whose peers have already come.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

namespace bench::collective {

/// Collective over MPI_COMM_WORLD: of each collective and size, by the implementation that is chosen and by those
/// named. False where counting itself went wrong.
bool count(const std::vector<wherry::collective::kind>& kinds, const std::vector<int>& sizes,
           const std::vector<std::string>& implementations, std::FILE* out);

}  // namespace bench::collective
