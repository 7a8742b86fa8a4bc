/// @file
/// The inspector: motions between two arrays become one rank's schedule. Pure; no MPI.
#pragma once

#include "wherry/blocks/array_shape.hpp"
#include "wherry/blocks/motion_builder.hpp"
#include "wherry/blocks/motion_plan.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Fields of the schedule are the pieces of memory of `source`, then, unless `endogenous`, those of `destination`.
/// With elements of different sizes the operation is a conversion. Messages of more than `packet_bytes` (0: no limit)
/// are cut into several stages.
/// @throws error(argument) for an entry that this rank takes part in and that is wrong.
template <int N>
schedule plan_motion(const motion_builder<motion_plan<N>>& motions, const array_shape<N>& source,
                     const array_shape<N>& destination, bool endogenous, int operation, std::int64_t packet_bytes,
                     int rank);

}  // namespace wherry
