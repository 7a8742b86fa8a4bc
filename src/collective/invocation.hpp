// One call, as an implementation gets it.
#pragma once

#include <cstdint>

#include "communicator_state.hpp"
#include "dense_call.hpp"

namespace wherry::collective {

struct carrier_room;

struct invocation {
  const call& users;
  communicator_state& on;
  const dense_call& dense;
  int tag = -1;                   ///< no other call's messages have it
  MPI_Request* of_mpi = nullptr;  ///< in flight, in the private duplicate
  carrier_room* room = nullptr;   ///< null, and no tag, where the implementation sends no messages of ours
};

}  // namespace wherry::collective
