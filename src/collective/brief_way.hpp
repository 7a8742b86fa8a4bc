// A shorter path for a blocking call with the same arguments as the last call of its kind: everything that could be
// found out once, and the function that does the rest. It needs no task, because no other thread drives the call.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

#include "reducer.hpp"

namespace wherry::collective {

struct communicator_state;

/// The results of the first call that later calls reuse.
struct brief_way {
  /// Runs the call; null: there is no shorter path.
  /// @throws error as the longer path does
  void (*run)(communicator_state& on, const call& what, const brief_way& way) = nullptr;
  std::int64_t bytes = 0;  ///< bytes of a block or of the vector
  std::int64_t count = 0;  ///< of a reduction: the number of elements
  combine_kernel combine = nullptr;
  std::uint64_t says = 0;  ///< the word of all contributions, without the history of earlier calls
  std::uint64_t mark = 0;  ///< the call's part of the history of later calls
};

}  // namespace wherry::collective
