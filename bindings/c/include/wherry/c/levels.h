/** @file
 * The coupling of a fine level of refinement to the coarse level below it (C++: wherry/blocks/level_coupling.hpp).
 *
 *     const int64_t ratio[2] = {2, 2};
 *     wherry_level_coupling levels;
 *     wherry_level_coupling_create(coarse, fine, &space, ratio, NULL, &levels);
 *     wherry_level_fill_ghosts(levels, interpolate, NULL);  // fine ghost cells that no fine box holds
 *     wherry_exchange_run(fill_fine);                        // the others
 *     wherry_level_average_down(levels, NULL, NULL);         // means
 */
#ifndef WHERRY_C_LEVELS_H
#define WHERRY_C_LEVELS_H

#include <stdint.h>

#include "wherry/c/boxes.h"
#include "wherry/c/exchange.h"
#include "wherry/c/floor_plans.h"
#include "wherry/c/options.h"
#include "wherry/c/x_arrays.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_level_coupling_object* wherry_level_coupling;

/** Options of a level coupling, the same on all ranks except for `carry.threads` and `carry.name`. */
typedef struct wherry_level_options {
  size_t struct_size;
  /** The number of coarse cells that an interpolation reads around the one that contains a fine cell; 0 means 1, and
   * WHERRY_NO_REACH none. */
  int64_t reach;
  int only_rim; /**< not 0: averages only values on planes at the rim of the refined region */
  wherry_carry_options carry;
} wherry_level_options;
#define WHERRY_NO_REACH (-1)

/** A function of the program's that sets `cells` of the grid `to` from the grid `from`. An interpolation sets fine
 * cells from coarse ones, and `cells` are in fine indices; an average sets coarse cells from fine ones, and `cells` are
 * in coarse indices. Indices are those of the two levels: `from->whole` and `to->whole`. The function must not call a
 * collective function, free an object, or drive an exchange.
 * @return 0, or another number: then the call in which it ran returns WHERRY_ERROR_RESOURCE on this rank */
typedef int (*wherry_level_function)(const wherry_block* from, const wherry_block* to, const wherry_box* cells,
                                     void* context);

/** Finds the ghost cells of the fine boxes that no fine box holds, and binds the motion of the coarse cells that they
 * need. Collective over the communicator of `fine`. Both arrays have the same type, components and centring. Fine boxes
 * begin and end at edges of coarse cells.
 * @param space the domain in coarse cells
 * @param ratio for each dimension the width of a coarse cell divided by that of a fine cell
 * @param options may be NULL
 * @param result receives the handle; NULL after an error */
wherry_status wherry_level_coupling_create(wherry_x_array coarse, wherry_x_array fine, const wherry_domain* space,
                                           const int64_t* ratio, const wherry_level_options* options,
                                           wherry_level_coupling* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_level_coupling_free(wherry_level_coupling* levels);

/** Begins to fill the ghost cells of the fine level that no fine box holds. Until wherry_level_wait_ghosts the coarse
 * cells must not be changed. Collective. */
wherry_status wherry_level_start_ghosts(wherry_level_coupling levels);
/** Makes progress. `*done` becomes 1 if all coarse cells have arrived, else 0. */
wherry_status wherry_level_test_ghosts(wherry_level_coupling levels, int* done);
/** Completes it: calls `interpolate` for each part of the ghost cells. Collective. */
wherry_status wherry_level_wait_ghosts(wherry_level_coupling levels, wherry_level_function interpolate, void* context);
/** wherry_level_start_ghosts and wherry_level_wait_ghosts. On a rank whose `interpolate` is NULL nothing is set; that
 * is an error of this rank only. */
wherry_status wherry_level_fill_ghosts(wherry_level_coupling levels, wherry_level_function interpolate, void* context);
/** Fills all cells of the fine level except ghost cells, for fine boxes that are new. Plans anew in each call.
 * Collective. */
wherry_status wherry_level_fill_all(wherry_level_coupling levels, wherry_level_function interpolate, void* context);

/** Begins to set the coarse cells below the fine boxes: calls `average` for each part, then sends the results. The
 * first call also plans. Collective.
 * @param average NULL: the mean of the fine values, which are WHERRY_FLOAT32, WHERRY_FLOAT64 or WHERRY_LONG_DOUBLE; for
 *        other types an error of all ranks, also if only one rank gives NULL, and with those types the call waits for
 *        the other ranks. After `average` has failed, the averages are in flight: wherry_level_wait_average_down
 *        completes them, and ranks have wrong ones */
wherry_status wherry_level_start_average_down(wherry_level_coupling levels, wherry_level_function average,
                                              void* context);
/** Makes progress. `*done` becomes 1 if the averages have arrived, else 0. */
wherry_status wherry_level_test_average_down(wherry_level_coupling levels, int* done);
/** Completes it. Collective. */
wherry_status wherry_level_wait_average_down(wherry_level_coupling levels);
/** wherry_level_start_average_down and wherry_level_wait_average_down. After `average` has failed on one rank, others
 * have wrong averages and are not told. */
wherry_status wherry_level_average_down(wherry_level_coupling levels, wherry_level_function average, void* context);

/** The fine ghost cells that the coarse level provides, box by box. Local.
 * @param capacity the most parts that are written to `parts`, which may be NULL if it is 0
 * @param count receives how many there are */
wherry_status wherry_level_ghosts(wherry_level_coupling levels, int capacity, wherry_box_part* parts, int* count);
/** The amounts that both directions have moved on this rank. Local. */
wherry_status wherry_level_statistics(wherry_level_coupling levels, wherry_statistics* result);
/** The plans of both directions as tables that people can read. Local.
 * @param text receives a text of the coupling, valid until the next text that is asked of it, or its end */
wherry_status wherry_level_explain(wherry_level_coupling levels, const char** text);
/** The transports of both directions. Local. */
wherry_status wherry_level_transport(wherry_level_coupling levels, const char** text);

#ifdef __cplusplus
}
#endif

#endif
