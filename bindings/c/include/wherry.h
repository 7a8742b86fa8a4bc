/** @file
 * Wherry for C (C99), and for languages that call C.
 *
 *     wherry_communicator comm;
 *     wherry_process_grid grid;
 *     wherry_exchange fill;
 *     wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
 *     wherry_require(wherry_process_grid_create(comm, 2, NULL, &grid));
 *     wherry_field u = wherry_field_inside(wherry_c_array(values, WHERRY_FLOAT64, 2, extents), 1);
 *     wherry_require(wherry_halo_exchange_create(grid, 1, &u, NULL, &fill));
 *     wherry_require(wherry_exchange_start(fill));
 *     // compute what reads no halo
 *     wherry_require(wherry_exchange_wait(fill));
 *
 * docs/c.md tells which thread may call what, who owns what, and in which order objects and MPI end.
 */
#ifndef WHERRY_H
#define WHERRY_H

#include "wherry/c/array_file.h"
#include "wherry/c/arrays.h"
#include "wherry/c/blocks.h"
#include "wherry/c/boxes.h"
#include "wherry/c/call.h"
#include "wherry/c/choice.h"
#include "wherry/c/collective.h"
#include "wherry/c/communicator.h"
#include "wherry/c/deep.h"
#include "wherry/c/exchange.h"
#include "wherry/c/grid.h"
#include "wherry/c/halo.h"
#include "wherry/c/index.h"
#include "wherry/c/integers.h"
#include "wherry/c/layers.h"
#include "wherry/c/notify.h"
#include "wherry/c/particles.h"
#include "wherry/c/reduction.h"
#include "wherry/c/segment.h"
#include "wherry/c/sparse.h"
#include "wherry/c/status.h"

#endif
