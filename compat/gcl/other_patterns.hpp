/// @file
/// GCL's patterns other than halo exchange that its section 7 plans.
#pragma once

#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/rooted.hpp"

namespace GCL {

/// Level L2: array sections over a process grid, e.g. `GCL::scatter(proc_grid.grid(), root, global, local)`.
using broadcast = wherry::grid_broadcast;
using scatter = wherry::grid_scatter;
using gather = wherry::grid_gather;
/// Level L1: the user's own data structures, by functions that gather and scatter, or by lists of indices.
using wherry::index_exchange;
using wherry::make_structure;
using wherry::user_structure;

}  // namespace GCL
