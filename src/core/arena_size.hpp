// Computes the amount of address space for an arena. No MPI.
#pragma once

#include <cstddef>
#include <string>

namespace wherry {

struct arena_size {
  std::size_t wanted = 0;    ///< the size that was asked for, or that of all memory
  std::size_t possible = 0;  ///< the part of it that the limits of this process allow, in whole large pages
  std::string why;           ///< the limit that makes it smaller
};

/// @param asked 0: the size of all memory, or as much of it as lets all mappings fit the address space
/// @param mappings the number of arenas that this process will have in its address space
arena_size size_of_arena(std::size_t asked, std::size_t mappings);

}  // namespace wherry
