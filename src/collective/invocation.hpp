// One call in the form that an implementation gets.
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
  int tag = -1;                   ///< a tag that no other call's messages have
  MPI_Request* of_mpi = nullptr;  ///< a request in flight in the private duplicate
  carrier_room* room = nullptr;   ///< null, and no tag, if the implementation sends no messages of ours
};

}  // namespace wherry::collective
