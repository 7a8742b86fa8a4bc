/** @file
 * Motion plans, and movers that carry them between x-arrays (C++: wherry/motion/motions.hpp, motion_plan.hpp,
 * mover.hpp, wherry/blocks/ghost_filler.hpp).
 *
 *     wherry_exchange fill, move;
 *     wherry_ghost_filler_create(u, &space, NULL, &fill);
 *     wherry_exchange_run(fill);
 *
 *     wherry_motion_plan there;
 *     wherry_motion_plan_redistribution(u_plan, NULL, v_plan, NULL, &there);
 *     const wherry_movement movement = {.motions = there, .source = u, .destination = v};
 *     wherry_mover_create(comm, 1, &movement, NULL, &move);
 *
 * A mover is a wherry_exchange. It keeps the memory of its arrays until it is freed.
 */
#ifndef WHERRY_C_MOVERS_H
#define WHERRY_C_MOVERS_H

#include <stdint.h>

#include "wherry/c/boxes.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/halo.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"
#include "wherry/c/x_arrays.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Motions, each from one place to another: a list of entries, or a rule that makes the entries of a rank when a mover
 * asks for them. All functions of motion plans are local and make no MPI call. */
typedef struct wherry_motion_plan_object* wherry_motion_plan;

/** One entry: the cells `source` of box `from` move to the cells `destination` of box `to`. Both sections have the same
 * number of points. Sections with the same extents correspond point by point; others are both traversed with dimension
 * 0 fastest. */
typedef struct wherry_motion {
  int from, to; /**< numbers of the boxes in the source's and in the destination's floor plan */
  wherry_box source, destination;
  /** If `turned` is not 0, dimension d of the destination runs along dimension axes[d] of the source. */
  int turned;
  int axes[WHERRY_MAX_DIMENSIONS];
} wherry_motion;

/** Makes an empty list. @param dimensions from 1 to 6 */
wherry_status wherry_motion_plan_create(int dimensions, wherry_motion_plan* result);
/** Frees the handle and sets it to NULL; NULL is left so. */
wherry_status wherry_motion_plan_free(wherry_motion_plan* plan);
/** Adds an entry to a list. It is checked when a mover is made. */
wherry_status wherry_motion_plan_add(wherry_motion_plan plan, const wherry_motion* entry);
/** Adds an entry: the cells `source` of box `from` to the cells `destination` of box `to`. */
wherry_status wherry_motion_plan_copy(wherry_motion_plan plan, int from, wherry_box source, int to,
                                      wherry_box destination);
/** Adds all entries of another list. */
wherry_status wherry_motion_plan_append(wherry_motion_plan plan, wherry_motion_plan other);
/** Replaces an entry. Movers that were made before stay as they are. */
wherry_status wherry_motion_plan_set(wherry_motion_plan plan, int64_t index, const wherry_motion* entry);
/** Removes an entry; later entries move up. */
wherry_status wherry_motion_plan_remove(wherry_motion_plan plan, int64_t index);
/** Removes all entries. */
wherry_status wherry_motion_plan_clear(wherry_motion_plan plan);
/** The number of entries of a list. */
wherry_status wherry_motion_plan_size(wherry_motion_plan plan, int64_t* size);
/** An entry of a list. */
wherry_status wherry_motion_plan_entry(wherry_motion_plan plan, int64_t index, wherry_motion* result);

/** Options of a halo motion. */
typedef struct wherry_halo_motion_options {
  size_t struct_size;
  int on_planes[WHERRY_MAX_DIMENSIONS]; /**< not 0: along this dimension the values sit on planes between cells */
  wherry_stencil stencil;
  const int* directions; /**< as in wherry_halo_options */
  int direction_count;
  /** WHERRY_HALO_AUTOMATIC and WHERRY_HALO_DIRECT: one stage. The others are for boxes that stand in rows and columns,
   * values in cells and the whole stencil. */
  wherry_halo_order order;
} wherry_halo_motion_options;

/** The motions that fill the ghost cells within `widths` of every box from the other boxes, periodic images included.
 * @param widths NULL: 0
 * @param space NULL: the domain is periodic nowhere
 * @param options may be NULL */
wherry_status wherry_motion_plan_halo(wherry_floor_plan plan, const wherry_widths* widths, const wherry_domain* space,
                                      const wherry_halo_motion_options* options, wherry_motion_plan* result);
/** The cells that two floor plans have in common, periodic images included.
 * @param on_planes NULL: in the cells; else `from` has boxes of cells, and `to` boxes of values
 * @param space NULL: the domain is periodic nowhere */
wherry_status wherry_motion_plan_redistribution(wherry_floor_plan from, const int* on_planes, wherry_floor_plan to,
                                                const wherry_domain* space, wherry_motion_plan* result);
/** The same with exchanged axes: cell q of the destination gets the cell p of the source for which
 * p[axes[d]] = q[d]. */
wherry_status wherry_motion_plan_transposition(wherry_floor_plan from, wherry_floor_plan to, const int* axes,
                                               wherry_motion_plan* result);

/** Hands an entry to the library. */
typedef void (*wherry_take_motion)(void* taker, const wherry_motion* entry);
/** Makes the entries of a rule: calls `take(taker, &entry)` for each entry in which `rank` takes part, or for all if
 * `rank` is -1. Further entries are ignored. It must not call Wherry with an object of the call.
 * @return 0, or another number, which is an error of the call that asked */
typedef int (*wherry_make_motions)(int rank, wherry_take_motion take, void* taker, void* context);
/** Makes a rule of the program's. The function is called when a mover or a list is made, perhaps several times; two
 * ranks must make the same entries between them.
 * @param context handed to `make`; must live as long as the plan and the plans that are made of it */
wherry_status wherry_motion_plan_by_rule(int dimensions, wherry_make_motions make, void* context,
                                         wherry_motion_plan* result);

/** Says whether an entry is wanted: 0 leaves it out. It must not call Wherry with an object of the call. */
typedef int (*wherry_choose_motion)(const wherry_motion* entry, void* context);
/** A plan of the entries that are wanted. The function must choose the same entries on all ranks; of a rule it is
 * called when a mover or a list is made.
 * @param context handed to `wanted`; must live as long as the plan and the plans that are made of it */
wherry_status wherry_motion_plan_only(wherry_motion_plan plan, wherry_choose_motion wanted, void* context,
                                      wherry_motion_plan* result);
/** Changes an entry in place. It must not call Wherry with an object of the call. */
typedef void (*wherry_change_motion)(wherry_motion* entry, void* context);
/** A plan in which each entry is changed by a function. The ranks that take part in an entry must stay the same. The
 * rest is as for wherry_motion_plan_only. */
wherry_status wherry_motion_plan_transformed(wherry_motion_plan plan, wherry_change_motion change, void* context,
                                             wherry_motion_plan* result);

/** The entries from the destinations back to the sources; several stages are reversed in order, too. */
wherry_status wherry_motion_plan_reversed(wherry_motion_plan plan, wherry_motion_plan* result);
/** The list of the entries of a rule in which `rank` takes part, or of all entries if `rank` is -1.
 * @return WHERRY_ERROR_ARGUMENT for a plan of several stages */
wherry_status wherry_motion_plan_listed(wherry_motion_plan plan, int rank, wherry_motion_plan* result);
/** The number of stages: 1 but for halo motions with an `order`. */
wherry_status wherry_motion_plan_stages(wherry_motion_plan plan, int* stages);
/** The entries of all ranks as a table that people can read.
 * @param source, destination the floor plans
 * @param most_rows 0: 64
 * @param text receives a text of the plan, valid until the next text that is asked of it, or its end */
wherry_status wherry_motion_plan_explain(wherry_motion_plan plan, wherry_floor_plan source,
                                         wherry_floor_plan destination, int most_rows, const char** text);
/** The entries of all ranks as JSON, in the form that `run plot` reads. */
wherry_status wherry_motion_plan_to_json(wherry_motion_plan plan, wherry_floor_plan source,
                                         wherry_floor_plan destination, const char** text);

/** A motion plan, the arrays between which it moves, and what happens on arrival. Numbers of another type are converted
 * as by assignment. */
typedef struct wherry_movement {
  wherry_motion_plan motions;
  wherry_x_array source, destination;
  wherry_reduction update; /**< combines arriving elements with those that are there; all 0: they are stored */
  int stage;               /**< a stage begins when everything of the one before has arrived */
} wherry_movement;

/** Options of a mover, the same on all ranks except for `carry.threads` and `carry.name`. */
typedef struct wherry_mover_options {
  size_t struct_size;
  wherry_reduction update; /**< of the movements that have none of their own */
  int in_parts;            /**< not 0: each grid of the sources is a part for wherry_exchange_start_in_parts */
  wherry_carry_options carry;
} wherry_mover_options;

/** Plans and binds movements; everything for one rank travels in one message. Collective over `comm`, which is that of
 * all arrays. Within a stage, no movement may write cells that another one reads or writes.
 * @param movement_count, movements the same number on all ranks; the stages ascend from 0 without a gap
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT or WHERRY_ERROR_MISMATCH on all ranks alike, before anything is sent */
wherry_status wherry_mover_create(wherry_communicator comm, int movement_count, const wherry_movement* movements,
                                  const wherry_mover_options* options, wherry_exchange* result);
/** Begins a mover or ghost filler with other arrays of exactly the same shapes. The exchange does not keep their
 * memory: it must outlive the starts that use it.
 * @param count twice the number of movements
 * @param arrays the source and the destination of each movement, in turn. A ghost filler is one movement within an
 *        array, or two if it combines copies
 * @return WHERRY_ERROR_ARGUMENT on this rank if a shape or a type differs */
wherry_status wherry_mover_start_with(wherry_exchange exchange, int count, const wherry_x_array* arrays);
/** The same for wherry_exchange_start_in_parts. */
wherry_status wherry_mover_start_in_parts_with(wherry_exchange exchange, int count, const wherry_x_array* arrays);

/** Options of a ghost filler, the same on all ranks except for `carry.threads` and `carry.name`. */
typedef struct wherry_ghost_options {
  size_t struct_size;
  wherry_stencil stencil;
  const int* directions; /**< as in wherry_halo_options */
  int direction_count;
  /** Combines the copies of each value on planes, and the ghost layers of `contributing`, and gives all copies the
   * result. (In a halo exchange all halo cells count.) */
  wherry_reduction combine_copies;
  wherry_widths contributing; /**< with `combine_copies`: the ghost layers whose values count, too */
  int in_parts;               /**< not 0: each grid is a part for wherry_exchange_start_in_parts */
  wherry_carry_options carry;
} wherry_ghost_options;

/** Makes the mover that fills the ghost cells of an x-array from the boxes that hold these cells. Values on planes that
 * several boxes share are copied from their owner. Collective over the array's communicator.
 * @param space NULL: the domain is periodic nowhere
 * @param options may be NULL */
wherry_status wherry_ghost_filler_create(wherry_x_array array, const wherry_domain* space,
                                         const wherry_ghost_options* options, wherry_exchange* result);

/** Moves all cells that two x-arrays have in common, in one call. Partial floor plans are resolved. Both arrays have
 * the same centring. Numbers of another type are converted. Collective over the communicator of `from`, which is also
 * that of `to`.
 * @param space NULL: the domain is periodic nowhere */
wherry_status wherry_redistribute(wherry_x_array from, wherry_x_array to, const wherry_domain* space);

/** Plans and binds a halo exchange of fields over a floor plan of 1 to 4 dimensions, with any number of boxes a rank.
 * Collective over `comm`.
 * @param space NULL: the domain is periodic nowhere
 * @param box_count the number of boxes of this rank
 * @param field_count the number of fields, the same on all ranks
 * @param fields box_count * field_count fields: all fields of this rank's first box, then those of the next, ascending
 *        by the boxes' numbers. wherry_exchange_start_with takes the addresses in this order
 * @param options may be NULL; `axes` is not used */
wherry_status wherry_halo_exchange_create_on_plan(wherry_communicator comm, wherry_floor_plan plan,
                                                  const wherry_domain* space, int box_count, int field_count,
                                                  const wherry_field* fields, const wherry_halo_options* options,
                                                  wherry_exchange* result);

#ifdef __cplusplus
}
#endif

#endif
