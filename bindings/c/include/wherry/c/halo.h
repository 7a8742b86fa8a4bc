/** @file
 * Halo exchange on regular grids (C++: wherry/halo/halo_exchange.hpp).
 *
 *     wherry_field u = wherry_field_inside(wherry_c_array(values, WHERRY_FLOAT64, 2, extents), 1);
 *     wherry_halo_exchange_create(grid, 1, &u, NULL, &fill);
 */
#ifndef WHERRY_C_HALO_H
#define WHERRY_C_HALO_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/exchange.h"
#include "wherry/c/grid.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of dimensions of a halo exchange. */
#define WHERRY_MAX_HALO_DIMENSIONS 4

/** GCL's five integers for one dimension: the cells from `begin` to `end`, both included, are the core; the `minus`
 * cells before it and the `plus` cells behind it are the halo; `length` is the extent of the array, padding
 * included. */
typedef struct wherry_halo_descriptor {
  int64_t minus, plus, begin, end, length;
} wherry_halo_descriptor;

/** An array and its halo. Halo cells beyond an edge that is not periodic are never written. */
typedef struct wherry_field {
  wherry_view array;
  wherry_halo_descriptor halo[WHERRY_MAX_HALO_DIMENSIONS];
  /** For each dimension not 0 if the values sit on planes between cells: all dimensions for nodes, one for faces. The
   * core then has one value more than cells: an array of (nx + 1) x (ny + 1) values on nodes without a halo is
   * `wherry_field_inside(array, 0)` with 1 in both dimensions. */
  int on_planes[WHERRY_MAX_HALO_DIMENSIONS];
  const char* name; /**< for errors; NULL: the field's number */
} wherry_field;

/** The field whose outermost `width` cells on all sides are the halo. Wrong arguments are found by the call that uses
 * the field; other widths are set in its member `halo`. */
wherry_field wherry_field_inside(wherry_view array, int64_t width);

/** The directions of the neighbours from which a halo is filled. */
typedef int wherry_stencil;
enum {
  WHERRY_STENCIL_ALL = 0,   /**< faces, edges and corners */
  WHERRY_STENCIL_FACES = 1, /**< the 2 N neighbours across a face */
  WHERRY_STENCIL_LISTED = 2 /**< those of `directions` */
};

/** The stages in which a halo is filled. */
typedef int wherry_halo_order;
enum {
  WHERRY_HALO_AUTOMATIC = 0,
  WHERRY_HALO_DIRECT = 1,       /**< all directions at once */
  WHERRY_HALO_WRAPPED_LAST = 2, /**< neighbours at once; then what wraps around onto the same rank, in long rows */
  WHERRY_HALO_BY_DIMENSION = 3  /**< one dimension after the other: fewer, larger messages */
};

/** A box of cells, counted from the first core cell, that `wherry_exchange_ready` sends. */
typedef struct wherry_halo_part {
  wherry_box cells;
  int subdomain; /**< with a floor plan the index among this rank's boxes, else 0 */
} wherry_halo_part;

/** Options of a halo exchange, the same on all ranks except for `parts`, `carry.threads` and `carry.name`. */
typedef struct wherry_halo_options {
  size_t struct_size;
  /** For each data dimension the grid dimension along which it is cut, -1: not cut. NULL: dimension i along i. */
  const int* axes;
  wherry_stencil stencil;
  /** With WHERRY_STENCIL_LISTED: `direction_count` directions, each of as many numbers -1, 0 or 1 as the data has
   * dimensions, from the cell that reads to the cell that is read. */
  const int* directions;
  int direction_count;
  wherry_halo_order order;
  int reverse; /**< not 0: each halo cell travels to the cell that it is a copy of, where `update` combines them */
  wherry_reduction update; /**< combines arriving elements with those that are there */
  /** Combines all copies of each value and gives all of them the result. Halo cells are copies, too: set them to 0 (for
   * a sum) before each exchange, or give a field without a halo, as `wherry_field_inside(nodes, 0)`. */
  wherry_reduction combine_copies;
  const wherry_halo_part* parts; /**< for wherry_exchange_start_in_parts */
  int part_count;
  wherry_carry_options carry;
} wherry_halo_options;

/** Plans and binds the exchange of one or more fields, which may differ in type, layout, width and size, and travel in
 * one message to each neighbour. Collective over the grid's communicator; each rank gives its part of the same fields
 * in the same order. Ranks without cells give fields of extent 0. The arrays stay the program's; the structures are
 * copied.
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT or WHERRY_ERROR_MISMATCH on all ranks alike, before anything is sent */
wherry_status wherry_halo_exchange_create(wherry_process_grid grid, int field_count, const wherry_field* fields,
                                          const wherry_halo_options* options, wherry_exchange* result);

/** The exchange of some of the fields, and of at most `depth` layers of their halos. Collective on the first use of
 * this choice, local afterwards. A wrong argument is always an error on its own rank only, also in the
 * first use. Handles of the same choice name the same exchange: one start at a time, and freeing one of them waits for
 * what is in flight (after a failed wait it waits once more before it gives up). A choice that was abandoned cannot be
 * used again, not even by a new handle.
 * @param fields indices of the fields as they were given at creation. `wherry_exchange_start_with` takes the arrays of
 *        these fields, in this order (with a floor plan for one box after the other)
 * @param depth number of layers; a negative number stands for the whole halo
 * @param result receives a handle of its own, which is freed by itself, before or after `exchange` */
wherry_status wherry_halo_exchange_only(wherry_exchange exchange, int field_count, const int* fields, int64_t depth,
                                        wherry_exchange* result);

#ifdef __cplusplus
}
#endif

#endif
