/// @file
/// The names of the Generic Communication Layer (GCL) over Wherry: `#include "gcl/gcl.hpp"`, namespace GCL. A program
/// that follows the GCL paper compiles with this header alone; the rest of Wherry may be used beside it.
///
///     GCL::GCL_Init(argc, argv);
///     using layout = GCL::layout_map<0, 1, 2>;
///     GCL::halo_exchange_dynamic_ut<layout, layout, double, 3> he(GCL::boollist<3>(true, true, true), GCL::GCL_WORLD);
///     for (int d = 0; d < 3; ++d) he.add_halo(d, GCL::halo_descriptor(2, 2, 2, n + 1, n + 4));
///     he.setup(1);
///     he.pack(field), he.exchange(), he.unpack(field);
///
/// Each pattern is collective where it is made and set up; then the ranks of its communicator may run it any number of
/// times. Errors are exceptions of type `wherry::error`, on all ranks alike.
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
