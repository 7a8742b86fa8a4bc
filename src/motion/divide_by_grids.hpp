// What leaves a mover's sources becomes ready grid by grid.
#pragma once

#include <span>

#include "wherry/motion/mover.hpp"

namespace wherry {

/// Local. Part i is the i-th of this rank's grids of every source.
void divide_by_grids(exchange& bound, std::span<const mover_stage> stages, std::span<const detail::bound_array> arrays);

}  // namespace wherry
