/** @file
 * Process grids: the ranks of a communicator in 1 to 4 dimensions (C++: wherry/halo/process_grid.hpp).
 *
 *     const int periodic[2] = {1, 0};
 *     wherry_process_grid_options options = WHERRY_INIT(wherry_process_grid_options);
 *     options.periodic = periodic;
 *     wherry_process_grid_create(comm, 2, &options, &grid);
 *     const int64_t cells[2] = {200, 100};
 *     wherry_box mine;
 *     wherry_owned_box(grid, 2, cells, NULL, &mine);
 */
#ifndef WHERRY_C_GRID_H
#define WHERRY_C_GRID_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/communicator.h"
#include "wherry/c/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_process_grid_object* wherry_process_grid;

/** The order in which ranks are placed in a grid. */
typedef int wherry_rank_order;
enum {
  WHERRY_ORDER_ROWS = 0,       /**< the last dimension fastest, as MPI_Cart_create does */
  WHERRY_ORDER_COLUMNS = 1,    /**< the first dimension fastest */
  WHERRY_ORDER_NODE_BRICKS = 2 /**< the ranks of a node form a compact brick */
};

/** Options of a process grid, the same on all ranks. */
typedef struct wherry_process_grid_options {
  size_t struct_size;
  const int* periodic; /**< for each dimension not 0 if it wraps around; NULL: those of a Cartesian communicator, else
                            none */
  const int* extents;  /**< number of ranks along each dimension; Wherry chooses those that are 0, and all if NULL */
  wherry_rank_order order;
  int reserved;
} wherry_process_grid_options;

/** Makes a process grid. Collective over `comm`. Ranks beyond the grid's last place own nothing but take part in
 * collective calls.
 * @param dimensions from 1 to 4
 * @param options may be NULL; what is left out is taken from a Cartesian communicator of the same dimensions
 * @param result receives the handle; NULL after an error */
wherry_status wherry_process_grid_create(wherry_communicator comm, int dimensions,
                                         const wherry_process_grid_options* options, wherry_process_grid* result);
/** Frees the handle and sets it to NULL. Local. */
wherry_status wherry_process_grid_free(wherry_process_grid* grid);

/** Number of dimensions. Local. */
wherry_status wherry_process_grid_dimensions(wherry_process_grid grid, int* dimensions);
/** Number of ranks along each dimension, and whether it is periodic. Local.
 * @param extents, periodic room for 4 numbers each, or NULL; entries beyond the grid's dimensions are not written */
wherry_status wherry_process_grid_shape(wherry_process_grid grid, int* extents, int* periodic);
/** The place of a rank in the grid. Local.
 * @param coordinates room for 4 numbers; all -1 for a rank outside of the grid */
wherry_status wherry_process_grid_coordinates(wherry_process_grid grid, int rank, int* coordinates);
/** The rank at a place, or -1 if there is no such place. Periodic dimensions wrap around. Local. */
wherry_status wherry_process_grid_rank_at(wherry_process_grid grid, const int* coordinates, int* rank);

/** The box of this rank, in global indices, if `cells` cells are divided evenly over the grid. Local. The box is empty
 * on ranks for which no cells are left.
 * @param dimensions of the data, from 1 to 4
 * @param cells number of cells along each dimension
 * @param axes for each dimension of the data the grid dimension along which it is cut, -1: not cut; NULL: data
 *        dimension i along grid dimension i */
wherry_status wherry_owned_box(wherry_process_grid grid, int dimensions, const int64_t* cells, const int* axes,
                               wherry_box* result);
/** The rank that owns a cell, or -1. Local; data dimension i is cut along grid dimension i. */
wherry_status wherry_owner_of(wherry_process_grid grid, int dimensions, const int64_t* cell, const int64_t* cells,
                              int* rank);

#ifdef __cplusplus
}
#endif

#endif
