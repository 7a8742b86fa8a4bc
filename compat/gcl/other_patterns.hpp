/// @file
/// The patterns other than halo exchange that GCL, section 7, plans.
#pragma once

#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/rooted.hpp"

namespace GCL {

/// GCL's level L2: array sections on a process grid, for example `GCL::scatter(proc_grid.grid(), global, local, {.root
/// = 1})`.
using broadcast = wherry::bcast_exchange;
using scatter = wherry::scatter_exchange;
using gather = wherry::gather_exchange;
/// GCL's level L1: the user's own data structures, through functions that gather and scatter, or through index lists.
using wherry::index_exchange;
using wherry::make_structure;
using wherry::user_structure;

}  // namespace GCL
