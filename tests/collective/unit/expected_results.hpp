// What each pattern means, in the plainest way: who has what at first, and what must be where in the end.
#pragma once

#include <cstdint>
#include <string>

#include "simulated_ranks.hpp"

namespace collective_tests {

enum class block_sizes { equal, uneven, mostly_empty };

struct question {
  const wherry::collective::algorithm* what = nullptr;
  wherry::collective::place at;  // without rank
  block_sizes sizes = block_sizes::uneven;
  operation combine = composed;
  bool in_place = false;
  std::uint64_t seed = 0;
};

// All ranks with their contributions; elsewhere is poison.
simulation begin(const question& asked);

// The first element of a result that is not what it should be, or nothing. Reductions are a fold from the left in the
// order of the ranks.
std::string difference(const question& asked, const simulation& done);

// The number of elements of a block on a rank, as the input has it, or as the work buffer.
int size_of_input(const question& asked, int rank, int block);
int size_of_work(const question& asked, int rank, int block);

}  // namespace collective_tests
