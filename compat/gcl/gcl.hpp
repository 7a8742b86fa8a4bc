/// @file
/// The Generic Communication Layer's names (paper 1) over Wherry: `#include "gcl/gcl.hpp"`, namespace GCL. A program
/// that follows the paper compiles with this header alone; all else of Wherry may be used beside it.
///
/// Everything named a pattern here is collective where it is constructed and set up, and then any number of times run
/// by the ranks of its communicator. Errors are exceptions of type `wherry::error`, on all ranks alike.
#pragma once

#include "gcl/all_to_all.hpp"
#include "gcl/all_to_all_halo.hpp"
#include "gcl/array.hpp"
#include "gcl/boollist.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/halo_exchange_bound.hpp"
#include "gcl/halo_exchange_buffers.hpp"
#include "gcl/halo_exchange_dynamic_ut.hpp"
#include "gcl/halo_exchange_generic.hpp"
#include "gcl/hndlr_descriptor_ut.hpp"
#include "gcl/hndlr_dynamic_ut.hpp"
#include "gcl/layout_map.hpp"
#include "gcl/ndloops.hpp"
#include "gcl/other_patterns.hpp"
#include "gcl/proc_grids.hpp"
#include "gcl/runtime.hpp"
#include "gcl/tags.hpp"
