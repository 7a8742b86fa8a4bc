/** @file
 * Boxes of index space, lists of boxes, domains and halo widths (C++: wherry/geometry). All functions are local and
 * make no MPI call; they may be called before MPI_Init.
 *
 *     wherry_box ring[WHERRY_MAX_BOX_PARTS];
 *     int parts;
 *     wherry_box_grow(inside, 1, &whole);
 *     wherry_box_difference(whole, inside, ring, &parts);
 *     for (int more = wherry_first_point(&ring[0], p); more; more = wherry_next_point(&ring[0], p)) visit(p);
 *
 * A box is a set of points: an empty box stays empty when it grows and is inside every box. A box has 1 to 6
 * dimensions. Functions of several boxes return WHERRY_ERROR_ARGUMENT if the boxes have different numbers of
 * dimensions, and all functions do if a result does not fit an int64_t.
 */
#ifndef WHERRY_C_BOXES_H
#define WHERRY_C_BOXES_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of dimensions of boxes, floor plans and x-arrays. */
#define WHERRY_MAX_BOX_DIMENSIONS 6
/** The largest number of parts that the difference of two boxes has. */
#define WHERRY_MAX_BOX_PARTS 12

/** Makes a box. Wrong arguments are found by the call that uses the box.
 * @param lower, upper `dimensions` numbers each; `upper` is excluded. If `lower` is NULL it is 0 everywhere. */
wherry_box wherry_make_box(int dimensions, const int64_t* lower, const int64_t* upper);

/** The number of points along each dimension.
 * @param extents room for as many numbers as the box has dimensions */
wherry_status wherry_box_extents(wherry_box box, int64_t* extents);
/** The number of points. */
wherry_status wherry_box_size(wherry_box box, int64_t* size);
/** `*result` becomes 1 if the box has no point, else 0. */
wherry_status wherry_box_is_empty(wherry_box box, int* result);
/** `*result` becomes 1 if the point is in the box, else 0. */
wherry_status wherry_box_contains_point(wherry_box box, const int64_t* point, int* result);
/** `*result` becomes 1 if every point of `other` is in `box`, else 0. */
wherry_status wherry_box_contains(wherry_box box, wherry_box other, int* result);
/** `*result` becomes 1 if the boxes have a point in common, else 0. */
wherry_status wherry_box_intersects(wherry_box a, wherry_box b, int* result);
/** `*result` becomes 1 if both are the same set of points, else 0. All empty boxes are equal. */
wherry_status wherry_box_equals(wherry_box a, wherry_box b, int* result);

/** The points that are in both boxes. */
wherry_status wherry_box_intersection(wherry_box a, wherry_box b, wherry_box* result);
/** The smallest box that contains both. */
wherry_status wherry_box_bounding(wherry_box a, wherry_box b, wherry_box* result);
/** The box moved by `offset`. */
wherry_status wherry_box_shift(wherry_box box, const int64_t* offset, wherry_box* result);
/** The box with `width` more points on all sides. A negative width shrinks it. */
wherry_status wherry_box_grow(wherry_box box, int64_t width, wherry_box* result);
/** The box with below[d] more points on the low side and above[d] more points on the high side of dimension d. */
wherry_status wherry_box_grow_sides(wherry_box box, const int64_t* below, const int64_t* above, wherry_box* result);
/** The coarse cells that contain at least one cell of `fine`.
 * @param ratio the width of a coarse cell divided by that of a fine cell, for each dimension; at least 1 */
wherry_status wherry_box_coarsen(wherry_box fine, const int64_t* ratio, wherry_box* result);
/** The fine cells that cover `coarse`. @param ratio as for wherry_box_coarsen */
wherry_status wherry_box_refine(wherry_box coarse, const int64_t* ratio, wherry_box* result);
/** The outermost `width` layers of the box on one side of one dimension.
 * @param side -1 (low) or 1 (high) */
wherry_status wherry_box_inner_layers(wherry_box box, int dimension, int side, int64_t width, wherry_box* result);
/** The `width` layers just outside of the box on one side of one dimension; empty if the box is empty. */
wherry_status wherry_box_outer_layers(wherry_box box, int dimension, int side, int64_t width, wherry_box* result);
/** The values of a box of cells: one more along each dimension in which they sit on the planes between cells.
 * @param on_planes for each dimension not 0 if the values sit on planes; NULL: the values sit in the cells */
wherry_status wherry_box_values(wherry_box cells, const int* on_planes, wherry_box* result);

/** The points of `a` that are not in `b`, as disjoint boxes.
 * @param result room for WHERRY_MAX_BOX_PARTS boxes
 * @param count receives their number */
wherry_status wherry_box_difference(wherry_box a, wherry_box b, wherry_box* result, int* count);

/** Lists of boxes. Each function writes at most `capacity` boxes to `result`, which may be NULL if `capacity` is 0, and
 * sets `*count` to the number that there are. The boxes of the result are disjoint and not empty. */
/** The points of all boxes, which may overlap. */
wherry_status wherry_boxes_union(int box_count, const wherry_box* boxes, int capacity, wherry_box* result, int* count);
/** The points of the disjoint boxes `a` that are in none of the boxes `b`. */
wherry_status wherry_boxes_difference(int a_count, const wherry_box* a, int b_count, const wherry_box* b, int capacity,
                                      wherry_box* result, int* count);
/** The points that are in both lists of disjoint boxes. */
wherry_status wherry_boxes_intersection(int a_count, const wherry_box* a, int b_count, const wherry_box* b,
                                        int capacity, wherry_box* result, int* count);
/** The points of `whole` that are in none of the boxes. */
wherry_status wherry_boxes_complement(int box_count, const wherry_box* boxes, wherry_box whole, int capacity,
                                      wherry_box* result, int* count);
/** The same points in fewer boxes: boxes that together form one box are joined. The boxes must be disjoint. */
wherry_status wherry_boxes_simplified(int box_count, const wherry_box* boxes, int capacity, wherry_box* result,
                                      int* count);
/** The number of points of disjoint boxes. */
wherry_status wherry_boxes_size(int box_count, const wherry_box* boxes, int64_t* size);

/** The first point of a box, for a loop over all of its points. Returns 0 if there is none. */
static inline int wherry_first_point(const wherry_box* box, int64_t* point) {
  int some = 1;
  for (int d = 0; d < box->dimensions; ++d) {
    point[d] = box->lower[d];
    some = some && box->lower[d] < box->upper[d];
  }
  return some;
}
/** The point after `*point`; dimension 0 varies fastest. Returns 0 if there is none. */
static inline int wherry_next_point(const wherry_box* box, int64_t* point) {
  for (int d = 0; d < box->dimensions; ++d) {
    if (++point[d] < box->upper[d]) return 1;
    point[d] = box->lower[d];
  }
  return 0;
}

/** The index space of a whole problem: a box of cells, whose opposite faces meet in each dimension whose entry of
 * `periodic` is not 0. */
typedef struct wherry_domain {
  wherry_box cells;
  int periodic[WHERRY_MAX_DIMENSIONS];
} wherry_domain;

/** The domain of these cells that is periodic in no dimension. */
wherry_domain wherry_open_domain(wherry_box cells);
/** The domain of these cells that is periodic in all dimensions. */
wherry_domain wherry_torus(wherry_box cells);
/** The cell of the domain of which `point` is a periodic image. Coordinates in other dimensions stay as they are.
 * @param result room for as many numbers as the domain has dimensions; may be `point` itself */
wherry_status wherry_domain_wrapped(const wherry_domain* space, const int64_t* point, int64_t* result);
/** The same domain in cells of a grid that is finer by `ratio`, one number for each dimension. */
wherry_status wherry_domain_refine(const wherry_domain* space, const int64_t* ratio, wherry_domain* result);

/** Numbers of cells on the low side (`minus`) and on the high side (`plus`) of each dimension. */
typedef struct wherry_widths {
  int64_t minus[WHERRY_MAX_DIMENSIONS];
  int64_t plus[WHERRY_MAX_DIMENSIONS];
} wherry_widths;

/** The same width on all sides. */
wherry_widths wherry_same_widths(int64_t width);

#ifdef __cplusplus
}
#endif

#endif
