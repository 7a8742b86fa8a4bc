/// @file
/// GCL's patterns other than halo exchange: the generic all-to-all, and those that its section 7 plans.
#pragma once

#include "wherry/halo/all_to_all.hpp"
#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/rooted.hpp"

namespace GCL {

/// Anything from any rank to any rank, at level L2 (array sections) and L3 (buffers).
using wherry::all_to_all;
/// Level L2: array sections over a process grid, e.g. `GCL::scatter(proc_grid.grid(), root, global, local)`.
using broadcast = wherry::grid_broadcast;
using scatter = wherry::grid_scatter;
using gather = wherry::grid_gather;
/// Level L1: the user's own data structures, by functions that gather and scatter, or by lists of indices.
using wherry::index_exchange;
using wherry::make_structure;
using wherry::user_structure;

}  // namespace GCL
