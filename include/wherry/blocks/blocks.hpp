/// @file
/// Includes the whole blocks module: floor plans, x-arrays and index arrays, motions and movers between them, levels of
/// refinement, and arrays in files.
#pragma once

#include "wherry/blocks/array_file.hpp"
#include "wherry/blocks/array_series.hpp"
#include "wherry/blocks/ghost_filler.hpp"
#include "wherry/blocks/level_coupling.hpp"
#include "wherry/blocks/saved_array.hpp"
#include "wherry/motion/balance.hpp"
#include "wherry/motion/box_parts.hpp"
#include "wherry/motion/decompose.hpp"
#include "wherry/motion/floor_plan.hpp"
#include "wherry/motion/grid.hpp"
#include "wherry/motion/index_array.hpp"
#include "wherry/motion/index_domain.hpp"
#include "wherry/motion/index_floor_plan.hpp"
#include "wherry/motion/index_motion_plan.hpp"
#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"
#include "wherry/motion/index_set.hpp"
#include "wherry/motion/motion_plan.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/motion/resolve.hpp"
#include "wherry/motion/x_array.hpp"
