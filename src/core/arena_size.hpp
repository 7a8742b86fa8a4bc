// How much address space an arena gets. No MPI.
#pragma once

#include <cstddef>
#include <string>

namespace wherry {

struct arena_size {
  std::size_t wanted = 0;    ///< what was asked for, or all memory
  std::size_t possible = 0;  ///< what the limits of this process allow of it: whole large pages
  std::string why;           ///< which limit makes it less
};

/// @param asked 0: all memory, as far as the mappings fit the address space
/// @param mappings of how many arenas this process will have in its address space
arena_size size_of_arena(std::size_t asked, std::size_t mappings);

}  // namespace wherry
