/// @file
/// All of Wherry.
#pragma once

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/geometry/layout.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/all_to_all.hpp"
#include "wherry/halo/buffer_exchange.hpp"
#include "wherry/halo/decomposition.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/mpi_buffer.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/halo/transfer.hpp"
#include "wherry/plan/schedule.hpp"
#include "wherry/transport/exchange.hpp"
#include "wherry/transport/transport.hpp"
