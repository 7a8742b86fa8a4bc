// The inspector for index domains: turns places into a part of one rank's schedule. Makes no MPI call.
#pragma once

#include "wherry/motion/index_shape.hpp"

namespace wherry {

/// Adds entries to a schedule. On the wire the components of a point are adjacent unless they are apart on both sides.
void plan_index_motion(const std::vector<detail::placed_motion>& entries, const detail::index_array_shape& source,
                       const detail::index_array_shape& destination, const detail::inspection& how);

}  // namespace wherry
