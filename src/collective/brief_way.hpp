// The shorter way of a call that waits for its end and says what the last one of its kind said: what could be found out
// once, and who does the rest. It needs no task, since nobody else drives the call.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

#include "reducer.hpp"

namespace wherry::collective {

struct communicator_state;

struct brief_way {
  /// @throws error as the longer way does. Null: there is none.
  void (*run)(communicator_state& on, const call& what, const brief_way& way) = nullptr;
  std::int64_t bytes = 0;  ///< of a block or of the vector
  std::int64_t count = 0;  ///< of a reduction: elements of these bytes
  combine_kernel combine = nullptr;
  std::uint64_t says = 0;  ///< what all ranks' contributions say, but for what came before the call
  std::uint64_t mark = 0;  ///< of the call, in what comes before later ones
};

}  // namespace wherry::collective
