// The inspector for index domains: places become one rank's schedule. Pure; no MPI.
#pragma once

#include "wherry/blocks/index_shape.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// As `plan_motion` for boxes. On the wire the components of a point stand together, unless they do so on neither side.
schedule plan_index_motion(std::vector<placed_motion> entries, const index_array_shape& source,
                           const index_array_shape& destination, bool endogenous, int operation,
                           std::int64_t packet_bytes, int rank);

}  // namespace wherry
