/** @file
 * X-arrays: distributed arrays with one grid for each box of a floor plan (C++: wherry/motion/x_array.hpp).
 *
 *     wherry_x_array u;
 *     wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
 *     options.ghost_width = wherry_same_widths(1);
 *     wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, &u);
 *     for (int i = 0; i < count; ++i) {
 *       wherry_block block;
 *       wherry_x_array_block(u, i, &block);
 *       for (int more = wherry_first_point(&block.core, p); more; more = wherry_next_point(&block.core, p))
 *         *(double*)wherry_block_at(&block, p, 0) = 1;
 *     }
 */
#ifndef WHERRY_C_X_ARRAYS_H
#define WHERRY_C_X_ARRAYS_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/boxes.h"
#include "wherry/c/communicator.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_x_array_object* wherry_x_array;

/** The order of the elements of a grid in memory. */
typedef int wherry_layout;
enum {
  WHERRY_LAYOUT_FORTRAN = 0, /**< the first dimension is contiguous */
  WHERRY_LAYOUT_C = 1,       /**< the last dimension is contiguous */
  WHERRY_LAYOUT_LISTED = 2   /**< that of `places` */
};

/** Options of an x-array, the same on all ranks. */
typedef struct wherry_x_array_options {
  size_t struct_size;
  wherry_widths ghost_width;            /**< layers of ghost cells around each box */
  int on_planes[WHERRY_MAX_DIMENSIONS]; /**< not 0: along this dimension the values sit on planes between cells */
  wherry_layout layout;
  int places[WHERRY_MAX_DIMENSIONS]; /**< the place of each dimension in the order of increasing strides */
  int components;                    /**< number of arrays over each box, one behind the other; 0 means 1 */
  int numbers;                       /**< an element consists of this many numbers side by side (`components` of a
                                          view); 0 means 1 */
  int dense_rows;                    /**< not 0: rows are never lengthened to spread them over the cache */
  wherry_space space;                /**< WHERRY_HOST: memory that the ranks of a node share; WHERRY_DEVICE */
  const char* name;                  /**< for errors; may be NULL */
} wherry_x_array_options;

/** Allocates this rank's grids, filled with zeros. Local; all ranks make x-arrays with the same options.
 * @param comm must live as long as any process uses the array
 * @param plan complete or partial
 * @param type of the numbers in the array
 * @param options may be NULL
 * @param result receives the handle; NULL after an error */
wherry_status wherry_x_array_create(wherry_communicator comm, wherry_floor_plan plan, wherry_type type,
                                    const wherry_x_array_options* options, wherry_x_array* result);
/** Makes an x-array of the program's arrays, which must outlive it and all that is made of it. Local.
 * @param grid_count the number of boxes of this rank
 * @param grids an array for each of them, ascending by the boxes' numbers. Its extents are those of the box's values
 *        with the ghost cells (`whole` of its block); with several components the array has one more dimension, the
 *        last, of that extent. All have the type of the x-array, and its `numbers` as their
 *        `components`
 * @param type of the numbers in the arrays, also on a rank without boxes
 * @param options `layout`, `places` and `dense_rows` are not used; `space` is where the arrays are */
wherry_status wherry_x_array_create_over(wherry_communicator comm, wherry_floor_plan plan, wherry_type type,
                                         int grid_count, const wherry_view* grids,
                                         const wherry_x_array_options* options, wherry_x_array* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. The grids are freed with the last exchange, coupling
 * or writer that was made of the array. */
wherry_status wherry_x_array_free(wherry_x_array* array);

/** A grid of this rank. */
typedef struct wherry_block {
  int number;               /**< of the box in the floor plan */
  int components;           /**< number of arrays, the later ones `component_stride` elements behind one another */
  int64_t component_stride; /**< in elements */
  wherry_box core;          /**< the values of the box, without ghost values */
  wherry_box whole;         /**< with ghost values: the indices of the grid */
  wherry_view values;       /**< component 0; its indices begin at `whole.lower` */
} wherry_block;

/** The number of dimensions, of this rank's grids, and of components; the type of the numbers. Each pointer may be
 * NULL. */
wherry_status wherry_x_array_shape(wherry_x_array array, int* dimensions, int* blocks, int* components,
                                   wherry_type* type);
/** One of this rank's grids. @param index from 0, ascending by the boxes' numbers */
wherry_status wherry_x_array_block(wherry_x_array array, int index, wherry_block* result);
/** The grid of a box by its number.
 * @return WHERRY_ERROR_ARGUMENT if the box is another rank's */
wherry_status wherry_x_array_find(wherry_x_array array, int number, wherry_block* result);
/** The array's floor plan, under a new handle. */
wherry_status wherry_x_array_plan(wherry_x_array array, wherry_floor_plan* result);
/** Replaces the floor plan by one that knows other neighbours. Local; no data moves.
 * @return WHERRY_ERROR_ARGUMENT if the plan has another size or other boxes on this rank */
wherry_status wherry_x_array_adopt(wherry_x_array array, wherry_floor_plan plan);

/** The address of an element of a grid. Indices are not checked. */
static inline void* wherry_block_at(const wherry_block* block, const int64_t* point, int component) {
  const int64_t numbers = block->values.components > 1 ? block->values.components : 1;
  int64_t at = component * block->component_stride;
  for (int d = 0; d < block->whole.dimensions; ++d) at += (point[d] - block->whole.lower[d]) * block->values.strides[d];
  return (char*)block->values.data + at * numbers * (int64_t)(block->values.type & 0xffffffu);
}

#ifdef __cplusplus
}
#endif

#endif
