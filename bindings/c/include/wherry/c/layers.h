/** @file
 * Ghosts of an unstructured mesh in several layers: one plan for all depths, element types and fields (C++:
 * wherry/halo/ghost_layers.hpp and wherry/halo/layered_field.hpp).
 *
 *     const wherry_integers externals[2] = {wherry_int64s(near, near_count), wherry_int64s(far, far_count)};
 *     wherry_ghost_layers_create_from_ids(comm, wherry_int64s(rows, owned), 2, externals, NULL, &mesh);
 *     wherry_layered_field_create(mesh, wherry_c_array(p, WHERRY_FLOAT64, 1, &elements), "pressure", &pressure);
 *     wherry_ghost_layers_exchange_if_needed(mesh, 2, 1, &pressure);  // moves the layers that are not clean
 *     p[0] = 1;
 *     wherry_layered_field_mark_written(pressure, 0);
 */
#ifndef WHERRY_C_LAYERS_H
#define WHERRY_C_LAYERS_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/index.h"
#include "wherry/c/integers.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The layers of a rank's ghosts, and the exchanges that fill them. Layer 1 is next to the rank's own elements, and an
 * exchange of depth d fills layers 1 to d. One exchange can be in flight. */
typedef struct wherry_ghost_layers_object* wherry_ghost_layers;
/** An array, and the number of layers whose ghosts have the values of their owners: they are clean. The number belongs
 * to the values, so swap handles of fields, not the arrays behind them. */
typedef struct wherry_layered_field_object* wherry_layered_field;

/** Options of ghost layers, the same on all ranks except for `carry.threads` and `carry.name`. */
typedef struct wherry_layer_options {
  size_t struct_size;
  wherry_reduction
      update; /**< by which `..._reduce_to_owners` combines an element with its ghosts; all 0: WHERRY_ADD */
  wherry_carry_options carry;
} wherry_layer_options;

/** Makes layers from the index lists of each layer. Collective over `comm`.
 * @param layer_count the number of layers, at least 1 and the same on all ranks
 * @param layers the lists of each layer, which may be freed afterwards
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike without layers, for a peer that is not a rank, a negative index, or
 *         an element that is received twice; WHERRY_ERROR_MISMATCH if the number of layers or options differ */
wherry_status wherry_ghost_layers_create(wherry_communicator comm, int layer_count, const wherry_index_lists* layers,
                                         const wherry_layer_options* options, wherry_ghost_layers* result);
/** Makes layers for elements that ranks know by global ids only. Collective over `comm`.
 * @param rows the ids of this rank's elements, in their local order: any numbers from 0 on, each on one rank only
 * @param externals for each layer the ids of the ghosts in it, each in one layer only. Locally the ghosts follow the
 *        rows, layer by layer, in this order. A rank without ghosts in a layer gives an empty list for it
 * @return as `wherry_ghost_layers_create`, and as `wherry_index_lists_create_from_ids` */
wherry_status wherry_ghost_layers_create_from_ids(wherry_communicator comm, wherry_integers rows, int layer_count,
                                                  const wherry_integers* externals, const wherry_layer_options* options,
                                                  wherry_ghost_layers* result);
/** Makes layers for ghosts whose owners are known. Collective over `comm`.
 * @param counts the number of this rank's ghosts in each layer
 * @param ghosts the ghosts of each layer, in any order; an entry may be NULL if there are none
 * @return as `wherry_ghost_layers_create`, and as `wherry_index_lists_create_from_ghosts` */
wherry_status wherry_ghost_layers_create_from_ghosts(wherry_communicator comm, int layer_count, const int64_t* counts,
                                                     const wherry_ghost* const* ghosts,
                                                     const wherry_layer_options* options, wherry_ghost_layers* result);
/** Makes layers that have the same ghosts and fields, and exchanges of their own: for a second exchange in flight.
 * Local. */
wherry_status wherry_ghost_layers_copy(wherry_ghost_layers layers, wherry_ghost_layers* result);
/** Waits for an exchange in flight, frees the handle, and sets it to NULL; NULL is left so. Local. Fields stay, and can
 * be exchanged by copies of the layers. */
wherry_status wherry_ghost_layers_free(wherry_ghost_layers* layers);

/** The number of layers. Local. */
wherry_status wherry_ghost_layers_depth(wherry_ghost_layers layers, int* depth);
/** The number of elements that an array must have for an exchange of this depth. Local.
 * @param depth from 1 to the number of layers */
wherry_status wherry_ghost_layers_elements(wherry_ghost_layers layers, int depth, int64_t* elements);
/** The index lists of one layer, as a handle of its own. Local.
 * @param layer from 1 to the number of layers */
wherry_status wherry_ghost_layers_lists(wherry_ghost_layers layers, int layer, wherry_index_lists* result);
/** The layers, and every exchange that has been bound, as a text for people. Local.
 * @param text receives a text of the layers, valid until the next call of this function for them, or their end */
wherry_status wherry_ghost_layers_explain(wherry_ghost_layers layers, const char** text);
/** The sums of the figures of all exchanges that have been bound. Local. */
wherry_status wherry_ghost_layers_statistics(wherry_ghost_layers layers, wherry_statistics* result);

/** Makes a field of an array. No layer is clean at first. Local.
 * @param array of one dimension, or of two as for an index exchange. It may be shorter than all layers need if it is
 *        exchanged to a smaller depth only. The array stays the program's
 * @param name for errors; may be NULL */
wherry_status wherry_layered_field_create(wherry_ghost_layers layers, wherry_view array, const char* name,
                                          wherry_layered_field* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_layered_field_free(wherry_layered_field* field);
/** Says that owned elements were written. Then no layer is clean, or only layers 1 to `depth`, if their ghosts were
 * computed here to the same values as at their owners. Local, but all ranks call it alike, because it decides what is
 * exchanged.
 * @param depth from 0 to the number of layers */
wherry_status wherry_layered_field_mark_written(wherry_layered_field field, int depth);
/** The number of layers that are clean. Local. */
wherry_status wherry_layered_field_clean_depth(wherry_layered_field field, int* depth);
/** The array with which the field was made. Local. */
wherry_status wherry_layered_field_array(wherry_layered_field field, wherry_view* array);

/** Begins to fill the ghosts of layers 1 to `depth` of all fields. All ranks make the same calls with the same depths
 * and the same kinds of arrays. Until the exchange is complete, elements that are sent must not be written, and those
 * ghosts must not be read. The first call for a depth and some kinds of arrays is collective; later ones are local to
 * start.
 * @return before anything moves, WHERRY_ERROR_ARGUMENT for another depth, a handle of another kind, an array that is
 *         too short, or a field of other layers: on this rank, except for what is found while an exchange is bound;
 *         WHERRY_ERROR_STATE if an exchange is in flight */
wherry_status wherry_ghost_layers_start(wherry_ghost_layers layers, int depth, int field_count,
                                        const wherry_layered_field* fields);
/** Begins as `wherry_ghost_layers_start`, but moves only layers that are not clean. If all are clean, nothing moves. */
wherry_status wherry_ghost_layers_start_if_needed(wherry_ghost_layers layers, int depth, int field_count,
                                                  const wherry_layered_field* fields);
/** Begins to combine the ghosts of layers 1 to `depth` with the elements of which they are copies, at their owners, by
 * `update` and in a fixed order. The ghosts keep their values. The fields count as written. */
wherry_status wherry_ghost_layers_start_reduce_to_owners(wherry_ghost_layers layers, int depth, int field_count,
                                                         const wherry_layered_field* fields);
/** Makes progress. `*done` becomes 1 if the exchange is complete, or if none is in flight, else 0. */
wherry_status wherry_ghost_layers_test(wherry_ghost_layers layers, int* done);
/** Returns when the exchange in flight is complete.
 * @return WHERRY_ERROR_TIMEOUT if a peer did not arrive within WHERRY_TIMEOUT; the call may be repeated */
wherry_status wherry_ghost_layers_wait(wherry_ghost_layers layers);
/** Gives up the exchange in flight. The layers can then only be copied and freed. */
wherry_status wherry_ghost_layers_abandon(wherry_ghost_layers layers);

/** `wherry_ghost_layers_start` and `wherry_ghost_layers_wait`; and so on. */
wherry_status wherry_ghost_layers_exchange(wherry_ghost_layers layers, int depth, int field_count,
                                           const wherry_layered_field* fields);
wherry_status wherry_ghost_layers_exchange_if_needed(wherry_ghost_layers layers, int depth, int field_count,
                                                     const wherry_layered_field* fields);
wherry_status wherry_ghost_layers_reduce_to_owners(wherry_ghost_layers layers, int depth, int field_count,
                                                   const wherry_layered_field* fields);

/** The same for arrays without an account of what is clean. */
wherry_status wherry_ghost_layers_start_arrays(wherry_ghost_layers layers, int depth, int array_count,
                                               const wherry_view* arrays);
wherry_status wherry_ghost_layers_start_reduce_arrays(wherry_ghost_layers layers, int depth, int array_count,
                                                      const wherry_view* arrays);

#ifdef __cplusplus
}
#endif

#endif
