/// @file
/// Counts allocations of the whole process, libraries included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

struct allocation_counts {
  std::uint64_t operator_new = 0;  ///< C++ only: with a C MPI, this is us
  std::uint64_t malloc = 0;        ///< everything, operator new and MPI's own included
};

/// Since the program began; all 0 under sanitizers.
allocation_counts allocations();

/// Bytes that are allocated now, and the most since `reset_peak` was called; all 0 under sanitizers.
struct heap_bytes {
  std::size_t now = 0, peak = 0;
};
heap_bytes heap();
void reset_peak();

}  // namespace bench
