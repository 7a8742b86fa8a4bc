/// @file
/// The inspector: motions between two arrays become part of one rank's schedule. Pure; no MPI.
#pragma once

#include "wherry/motion/movement.hpp"

namespace wherry {

/// With elements of different sizes the operation is a conversion. Sections that are longer than a packet are cut.
/// @throws error(argument) for an entry that this rank takes part in and that is wrong.
template <int N>
void plan_motion(const motion_builder<motion_plan<N>>& motions, const array_shape<N>& source,
                 const array_shape<N>& destination, const detail::inspection& how);

}  // namespace wherry
