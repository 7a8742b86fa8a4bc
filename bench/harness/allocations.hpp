/// @file
/// Counts allocations of the whole process, libraries included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

struct allocation_counts {
  std::uint64_t operator_new = 0;  ///< C++ only; with an MPI in C, these are our own allocations
  std::uint64_t malloc = 0;        ///< all allocations, those of operator new and of MPI included
};

/// The counts since the program began; all are 0 under sanitizers.
allocation_counts allocations();

/// The bytes that are allocated now, and the most since the last `reset_peak`; all are 0 under sanitizers.
struct heap_bytes {
  std::size_t now = 0, peak = 0;
};
heap_bytes heap();
void reset_peak();

}  // namespace bench
