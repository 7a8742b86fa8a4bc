// Divides an exchange into parts, so that the data of a mover's sources becomes ready grid by grid.
#pragma once

#include <span>

#include "wherry/motion/mover.hpp"

namespace wherry {

/// Makes part i of the i-th grid of this rank in every source. Local.
void divide_by_grids(exchange& bound, std::span<const detail::mover_stage> stages,
                     std::span<const detail::bound_array> arrays);

}  // namespace wherry
