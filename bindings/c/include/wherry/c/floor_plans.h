/** @file
 * Floor plans: which boxes there are, and which rank owns each (C++: wherry/motion/floor_plan.hpp, decompose.hpp,
 * balance.hpp, resolve.hpp, box_parts.hpp).
 *
 *     wherry_floor_plan plan;
 *     wherry_box boxes[2] = {...};
 *     const int owners[2] = {0, 1};
 *     wherry_floor_plan_create(2, 2, boxes, owners, &plan);
 *
 * Boxes are numbered from 0; they may overlap and may be empty, and a rank may own any number of them. A plan is
 * complete if it knows all boxes, or partial: then it knows the boxes of this rank and those near them. All functions
 * but `wherry_floor_plan_create_distributed` and the two that resolve are local and make no MPI call; ranks that pass
 * the same arguments get the same plan. An object that is made with a plan keeps a copy of it.
 */
#ifndef WHERRY_C_FLOOR_PLANS_H
#define WHERRY_C_FLOOR_PLANS_H

#include <stdint.h>

#include "wherry/c/boxes.h"
#include "wherry/c/communicator.h"
#include "wherry/c/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_floor_plan_object* wherry_floor_plan;

/** Makes a complete plan of listed boxes.
 * @param dimensions from 1 to 6
 * @param box_count, boxes, owners the number of boxes, each box, and the rank that owns it
 * @param result receives the handle; NULL after an error */
wherry_status wherry_floor_plan_create(int dimensions, int box_count, const wherry_box* boxes, const int* owners,
                                       wherry_floor_plan* result);
/** Makes a partial plan that knows `box_count` of `total` boxes. The library does not know which neighbours such a plan
 * knows, and cannot check that they are enough.
 * @param numbers the number of each box, ascending */
wherry_status wherry_floor_plan_create_partial(int dimensions, int total, int box_count, const int* numbers,
                                               const wherry_box* boxes, const int* owners, wherry_floor_plan* result);
/** Numbers the boxes of all ranks, rank by rank, and makes a partial plan that knows this rank's boxes and, if `reach`
 * is given, those of other ranks within it. Collective over `comm`.
 * @param box_count, boxes this rank's boxes, perhaps none
 * @param reach the distance in cells, the same on all ranks; NULL: this rank's boxes only, and `space` is not used
 * @param space the domain across whose periodic edges boxes are near one another; NULL: it is periodic nowhere */
wherry_status wherry_floor_plan_create_distributed(wherry_communicator comm, int dimensions, int box_count,
                                                   const wherry_box* boxes, const wherry_widths* reach,
                                                   const wherry_domain* space, wherry_floor_plan* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_floor_plan_free(wherry_floor_plan* plan);

/** How boxes are assigned to ranks. */
typedef int wherry_assignment;
enum {
  WHERRY_ASSIGN_HILBERT = 0,        /**< each rank gets a piece of a Hilbert curve through the boxes */
  WHERRY_ASSIGN_MORTON = 1,         /**< each rank gets a piece of a Z-order curve */
  WHERRY_ASSIGN_ROUND_ROBIN = 2,    /**< box i goes to rank i modulo the number of ranks */
  WHERRY_ASSIGN_HEAVIEST_FIRST = 3, /**< each box, heaviest first, goes to the rank with the least load */
  WHERRY_ASSIGN_IN_ORDER = 4        /**< each rank gets a piece of the list of boxes as it is */
};

/** Options of a balance. `weights` has the work of each box, finite and not negative; NULL: its number of cells. */
typedef struct wherry_balance_options {
  size_t struct_size;
  wherry_assignment method;
  const double* weights;
  int weight_count;
  int reserved;
} wherry_balance_options;

/** Options of a decomposition. */
typedef struct wherry_decompose_options {
  size_t struct_size;
  int64_t largest[WHERRY_MAX_DIMENSIONS];     /**< the largest extent of a box in cells; 0 sets no limit */
  int64_t multiple_of[WHERRY_MAX_DIMENSIONS]; /**< corners are multiples of this number; 0 means 1 */
  /** With `largest`: how the boxes are assigned. */
  wherry_assignment method;
  const double* weights;
  int weight_count;
  int reserved;
} wherry_decompose_options;

/** Cuts a box among ranks: one box a rank, nearly cubic; with `largest` more and smaller ones.
 * @param options may be NULL */
wherry_status wherry_floor_plan_decompose(wherry_box cells, int ranks, const wherry_decompose_options* options,
                                          wherry_floor_plan* result);
/** Cuts a box into a grid of pieces whose extents differ by at most one cell; pieces may be empty. Boxes are numbered
 * with dimension 0 fastest, and a process grid places its ranks with the last dimension fastest: give
 * `wherry_owners_row_major` as owners to get the boxes of `wherry_owned_box`.
 * @param pieces their number along each dimension
 * @param owners a rank for each box; NULL: rank i owns box i, and `owner_count` is not used */
wherry_status wherry_floor_plan_even_blocks(wherry_box cells, const int64_t* pieces, int owner_count, const int* owners,
                                            wherry_floor_plan* result);
/** Makes a grid of boxes from the coordinates at which each dimension is cut.
 * @param cut_counts for each dimension the number of coordinates, both ends included
 * @param cuts for each dimension its coordinates, ascending
 * @param owner_count, owners as for wherry_floor_plan_even_blocks */
wherry_status wherry_floor_plan_cut_blocks(int dimensions, const int* cut_counts, const int64_t* const* cuts,
                                           int owner_count, const int* owners, wherry_floor_plan* result);
/** Cuts a box into boxes of `block` cells and assigns them in turn, along every dimension, to the places of a process
 * grid, as ScaLAPACK does.
 * @param process_grid the number of places along each dimension
 * @param ranks the rank at each place, dimension 0 fastest; NULL: rank i stands at place i, and `rank_count` is not
 *        used */
wherry_status wherry_floor_plan_block_cyclic(wherry_box cells, const int64_t* block, const int64_t* process_grid,
                                             int rank_count, const int* ranks, wherry_floor_plan* result);
/** Cuts a box into any number of nearly equal boxes by halving, box i for rank i. */
wherry_status wherry_floor_plan_bisected_blocks(wherry_box cells, int ranks, wherry_floor_plan* result);
/** Assigns the boxes of a complete plan to ranks anew. @param options may be NULL */
wherry_status wherry_floor_plan_balance(wherry_floor_plan plan, int ranks, const wherry_balance_options* options,
                                        wherry_floor_plan* result);
/** The load of each rank.
 * @param weight_count, weights the work of each box; NULL: its number of cells
 * @param loads room for `ranks` numbers, or NULL
 * @param imbalance the largest load divided by the mean, or NULL */
wherry_status wherry_floor_plan_loads(wherry_floor_plan plan, int ranks, int weight_count, const double* weights,
                                      double* loads, double* imbalance);
/** The ranks 0, 1, ..., `ranks` - 1, 0, 1, ... @param owners room for `box_count` numbers */
wherry_status wherry_owners_round_robin(int box_count, int ranks, int* owners);
/** The rank at each place of a process grid that numbers its ranks with the last dimension fastest, as MPI does; the
 * places are listed with dimension 0 fastest. @param owners room for a number for each place */
wherry_status wherry_owners_row_major(int dimensions, const int64_t* process_grid, int* owners);
/** Assigns each box, heaviest first, to the rank with the least load. @param owners room for `box_count` numbers */
wherry_status wherry_owners_heaviest_first(int box_count, const double* weights, int ranks, int* owners);

/** A plan that also knows all boxes of other ranks within `reach` of this rank's boxes, across periodic edges too, as
 * a halo of that width needs. Collective over `comm`; the widths and the domain are the same on all ranks.
 * @param plan knows at least this rank's boxes
 * @param space NULL: the domain is periodic nowhere */
wherry_status wherry_floor_plan_resolve(wherry_communicator comm, wherry_floor_plan plan, const wherry_widths* reach,
                                        const wherry_domain* space, wherry_floor_plan* result);
/** Two plans that also know which boxes of the other one touch this rank's boxes, as a redistribution between them
 * needs. Collective over `comm`.
 * @param on_planes where the values are; with values on planes `from` has boxes of cells, and `to` boxes of values
 *        (wherry_floor_plan_values). NULL: in the cells
 * @param space NULL: the domain is periodic nowhere
 * @param from_result, to_result receive the two plans */
wherry_status wherry_floor_plan_resolve_pair(wherry_communicator comm, wherry_floor_plan from, const int* on_planes,
                                             wherry_floor_plan to, const wherry_domain* space,
                                             wherry_floor_plan* from_result, wherry_floor_plan* to_result);

/** The plan of boxes of values that belongs to a plan of boxes of cells. */
wherry_status wherry_floor_plan_values(wherry_floor_plan plan, const int* on_planes, wherry_floor_plan* result);
/** The boxes of a fine level in cells that are coarser by `ratio`, each grown by `reach` coarse cells. */
wherry_status wherry_floor_plan_coarsened(wherry_floor_plan fine, const int64_t* ratio, int64_t reach,
                                          wherry_floor_plan* result);
/** Changes a box in place. It must not call Wherry with an object of the call. @return 0, or another number, which
 * makes the call that runs it an error */
typedef int (*wherry_change_box)(wherry_box* box, void* context);
/** A plan with the same owners in which each box is changed by a function. A partial result is treated as one that the
 * program listed. */
wherry_status wherry_floor_plan_transformed(wherry_floor_plan plan, wherry_change_box change, void* context,
                                            wherry_floor_plan* result);
/** Adds a box to a complete plan; its number is the size before. Objects that were made with the plan do not change. */
wherry_status wherry_floor_plan_add(wherry_floor_plan plan, wherry_box box, int owner);

/** The number of dimensions. */
wherry_status wherry_floor_plan_dimensions(wherry_floor_plan plan, int* dimensions);
/** The number of all boxes, the number of those that this plan knows, and whether it knows all. Each pointer may be
 * NULL. */
wherry_status wherry_floor_plan_size(wherry_floor_plan plan, int* size, int* known, int* complete);
/** A box and its owner. `box` and `owner` may be NULL.
 * @return WHERRY_ERROR_ARGUMENT for a number that is out of range, or of a box that the plan does not know */
wherry_status wherry_floor_plan_box(wherry_floor_plan plan, int number, wherry_box* box, int* owner);
/** The number of a known box. @param place from 0 to the number of known boxes - 1; the numbers ascend */
wherry_status wherry_floor_plan_number_of(wherry_floor_plan plan, int place, int* number);
/** The place of a box among the known ones; -1 if it is not known. */
wherry_status wherry_floor_plan_place_of(wherry_floor_plan plan, int number, int* place);
/** The numbers of the known boxes of a rank, ascending.
 * @param capacity the most numbers that are written to `numbers`, which may be NULL if it is 0
 * @param count receives how many there are */
wherry_status wherry_floor_plan_owned_by(wherry_floor_plan plan, int rank, int capacity, int* numbers, int* count);
/** The number of the first known box that contains the point, and its owner; -1 if there is none. Each pointer may be
 * NULL. */
wherry_status wherry_floor_plan_find(wherry_floor_plan plan, const int64_t* point, int* number, int* owner);
/** The smallest box that contains all known boxes. */
wherry_status wherry_floor_plan_bounding_box(wherry_floor_plan plan, wherry_box* result);
/** A hash of all boxes and owners, equal on ranks that have the same complete plan; 0 for a partial plan. */
wherry_status wherry_floor_plan_fingerprint(wherry_floor_plan plan, uint64_t* result);
/** `*result` becomes 1 if both plans know the same boxes and owners, else 0. */
wherry_status wherry_floor_plan_equals(wherry_floor_plan a, wherry_floor_plan b, int* result);
/** The plan as a table that people can read.
 * @param most_rows the most boxes that are listed; 0: 64
 * @param text receives a text of the plan, valid until the next text that is asked of it, or its end */
wherry_status wherry_floor_plan_explain(wherry_floor_plan plan, int most_rows, const char** text);
/** The plan as JSON, in the form that `run plot` and `wherry_plan` read. */
wherry_status wherry_floor_plan_to_json(wherry_floor_plan plan, const char** text);

/** A part of one box of a plan. */
typedef struct wherry_box_part {
  int number; /**< of the box */
  wherry_box cells;
} wherry_box_part;

/** Parts of a rank's boxes. Each function writes at most `capacity` parts to `parts`, which may be NULL if `capacity`
 * is 0, and sets `*count` to the number that there are. */
/** The ghost cells of a rank's boxes that no box and no periodic image of a box holds. Cells beyond an edge of the
 * domain that is not periodic are left out. */
wherry_status wherry_uncovered_ghosts(wherry_floor_plan plan, const wherry_widths* widths, const wherry_domain* space,
                                      int rank, int capacity, wherry_box_part* parts, int* count);
/** A rank's boxes without the cells that a box with a lower number holds too. */
wherry_status wherry_without_overlap(wherry_floor_plan plan, int rank, int capacity, wherry_box_part* parts,
                                     int* count);
/** The values that a rank's boxes own, so that a sum over them counts each shared value once.
 * @param on_planes for each dimension not 0 if the values sit on planes; NULL: in the cells
 * @param space NULL: the domain is periodic nowhere */
wherry_status wherry_owned_values(wherry_floor_plan plan, const int* on_planes, const wherry_domain* space, int rank,
                                  int capacity, wherry_box_part* parts, int* count);

#ifdef __cplusplus
}
#endif

#endif
