/// @file
/// Counts allocations of the whole process, libraries included.
#pragma once

#include <cstdint>

namespace bench {

struct allocation_counts {
  std::uint64_t operator_new = 0;  ///< C++ only: with a C MPI, this is us
  std::uint64_t malloc = 0;        ///< everything, operator new and MPI's own included
};

/// Since the program began; all 0 under sanitizers.
allocation_counts allocations();

}  // namespace bench
