// The first steps of a wait on a node with more ranks than cores: a rank that has not come may need this one's core.
#pragma once

#include <sched.h>

#include "wherry/core/mpi.hpp"

#include "node_board.hpp"

namespace wherry::collective {

/// Yields the core a few times, which costs less than the full wait, which also makes MPI progress. True if the
/// condition holds.
template <class Ready> bool comes_after_yielding(const node_board& board, const Ready& ready) {
  constexpr int times = 8;
  if (wherry::detail::ranks_share_a_process || !board.is_crowded()) return false;
  for (int i = 0; i < times; ++i) {
    sched_yield();
    if (ready()) return true;
  }
  return false;
}

}  // namespace wherry::collective
