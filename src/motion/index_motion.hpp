// The inspector for index domains: places become part of one rank's schedule. Pure; no MPI.
#pragma once

#include "wherry/motion/index_shape.hpp"

namespace wherry {

/// As `plan_motion` for boxes. On the wire the components of a point stand together, unless they do so on neither side.
void plan_index_motion(const std::vector<detail::placed_motion>& entries, const detail::index_array_shape& source,
                       const detail::index_array_shape& destination, const detail::inspection& how);

}  // namespace wherry
