// The first steps of a wait where a node's ranks are more than its cores: who has not come may need this one's.
#pragma once

#include <sched.h>

#include "wherry/core/mpi.hpp"

#include "node_board.hpp"

namespace wherry::collective {

/// Gives the core away a few times, which costs less than to look after MPI as well, as a longer wait does. True: what
/// it waits for has come.
template <class Ready> bool comes_after_yielding(const node_board& board, const Ready& ready) {
  constexpr int times = 8;
  if (ranks_share_a_process || !board.is_crowded()) return false;
  for (int i = 0; i < times; ++i) {
    sched_yield();
    if (ready()) return true;
  }
  return false;
}

}  // namespace wherry::collective
