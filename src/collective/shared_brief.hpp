// Small blocking calls: each member shows one thing. No task, no memory, three steps (show, wait, collect).
#pragma once

#include "brief_way.hpp"
#include "shape_of_call.hpp"

namespace wherry::collective::shared {

/// The shorter path, if the call is one of these.
brief_way briefly(const call& what, const shape_of_call& shape, const communicator_state& on);

}  // namespace wherry::collective::shared
