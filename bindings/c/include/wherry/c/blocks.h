/** @file
 * Blocks: floor plans, x-arrays, motion plans, movers and levels of refinement. docs/blocks.md explains them.
 *
 *     wherry_floor_plan_decompose(cells, ranks, NULL, &plan);
 *     wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, &u);
 *     wherry_ghost_filler_create(u, &space, NULL, &fill);
 *     wherry_exchange_run(fill);
 */
#ifndef WHERRY_C_BLOCKS_H
#define WHERRY_C_BLOCKS_H

#include "wherry/c/boxes.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/index_blocks.h"
#include "wherry/c/levels.h"
#include "wherry/c/movers.h"
#include "wherry/c/x_arrays.h"

#endif
