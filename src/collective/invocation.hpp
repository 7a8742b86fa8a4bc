// One call, as an implementation gets it.
#pragma once

#include <cstdint>

#include "communicator_state.hpp"
#include "dense_call.hpp"

namespace wherry::collective {

struct invocation {
  const call& users;
  communicator_state& on;
  const dense_call& dense;
  int tag;  ///< no other call's messages have it; -1 where the implementation sends none of ours
};

}  // namespace wherry::collective
