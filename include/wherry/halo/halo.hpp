/// @file
/// Includes the whole halo module: exchanges on regular grids and on floor plans, index lists, raw buffers, and rooted
/// patterns.
#pragma once

#include "wherry/core/node_allocator.hpp"
#include "wherry/halo/alltoall_exchange.hpp"
#include "wherry/halo/buffer_exchange.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/ghost_layers.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/halo_view.hpp"
#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/index_lists.hpp"
#include "wherry/halo/layered_field.hpp"
#include "wherry/halo/mpi_buffer.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/halo/resolve_layers.hpp"
#include "wherry/halo/rooted.hpp"
#include "wherry/halo/transfer.hpp"
