/** @file
 * Halo exchange on unstructured meshes and sparse matrices, by lists of indices (C++: wherry/halo/index_lists.hpp and
 * wherry/halo/index_exchange.hpp).
 *
 *     wherry_ghost ghosts[2] = {{1, 0, 10}, {1, 3, 11}};  // elements 0 and 3 of rank 1 are 10 and 11 here
 *     wherry_index_lists_create_from_ghosts(comm, 2, ghosts, &lists);
 *     wherry_view x = wherry_c_array(values, WHERRY_FLOAT64, 1, &elements);
 *     wherry_index_exchange_create(comm, lists, 1, &x, NULL, &fill);
 *     wherry_exchange_run(fill);
 *
 * wherry/c/layers.h is for ghosts in several layers.
 */
#ifndef WHERRY_C_INDEX_H
#define WHERRY_C_INDEX_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/integers.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One rank's part of an exchange: which of its elements go to each rank, and which come from each rank. */
typedef struct wherry_index_lists_object* wherry_index_lists;

/** The local indices of the elements that go to, or come from, one rank, in the order in which they travel. */
typedef struct wherry_peer_indices {
  int peer;
  int64_t count;     /**< the number of indices */
  const int64_t* at; /**< the indices, counted from 0 */
} wherry_peer_indices;

/** A local copy of another rank's element. Both indices are local, and counted from 0. */
typedef struct wherry_ghost {
  int owner;           /**< the rank that owns the element */
  int64_t index_there; /**< the index of the element at its owner */
  int64_t index_here;  /**< the index of its copy on this rank */
} wherry_ghost;

/** Makes index lists from this rank's own lists, which are copied. The k-th element that rank a sends to rank b arrives
 * at the k-th index that b receives from a; a rank may send to itself. Local: the exchange that uses the lists compares
 * them.
 * @param result receives the handle; NULL after an error */
wherry_status wherry_index_lists_create(int send_count, const wherry_peer_indices* sends, int receive_count,
                                        const wherry_peer_indices* receives, wherry_index_lists* result);
/** Makes the index lists that fill ghosts from their owners, by telling each owner which of its elements are needed.
 * Collective over `comm`.
 * @param count the number of this rank's ghosts, perhaps 0
 * @param ghosts in any order; the lists are in ascending order of `index_here`
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for an owner that is not a rank, a negative index, or a local
 *         element that is named twice */
wherry_status wherry_index_lists_create_from_ghosts(wherry_communicator comm, int64_t count, const wherry_ghost* ghosts,
                                                    wherry_index_lists* result);
/** Makes index lists for elements that ranks know by global ids only, by finding the owner of each id. Collective over
 * `comm`.
 * @param rows the ids of this rank's elements, in their local order: any numbers that are not negative, with gaps if
 * you like, each on one rank only
 * @param externals the ids of the ghosts, which are copies of elements of any rank, this one included; locally they
 *        follow the rows, in this order
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for an id that is negative, that no rank or several ranks have as a
 *         row, or that is external twice */
wherry_status wherry_index_lists_create_from_ids(wherry_communicator comm, wherry_integers rows,
                                                 wherry_integers externals, wherry_index_lists* result);

/** Index lists in the form of codes such as HPCG and PETSc: the indices of all neighbours are in one list. */
typedef struct wherry_flat_lists {
  wherry_integers neighbors;       /**< the neighbouring ranks, each once */
  wherry_integers send_lengths;    /**< number of elements sent to each neighbour */
  wherry_integers sent;            /**< local indices of the sent elements */
  wherry_integers receive_lengths; /**< number of elements received from each neighbour */
  wherry_integers received;        /**< local indices of the received elements; empty: from `first_external` on */
  int64_t first_external;          /**< number of local rows; unless it is 0, sent elements must lie below it */
} wherry_flat_lists;

/** Makes index lists from flat lists. Collective over `comm`.
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for a neighbour that is not a rank or is listed twice, a negative
 *         length, lengths that do not add up to the number of indices, and an index that is negative, not a row, or
 *         received twice */
wherry_status wherry_index_lists_create_from_flat(wherry_communicator comm, const wherry_flat_lists* flat,
                                                  wherry_index_lists* result);

/** Frees the handle and sets it to NULL; NULL is left so. Local. Exchanges that were made with the lists stay. */
wherry_status wherry_index_lists_free(wherry_index_lists* lists);

/** The lists of the elements that this rank sends. Local.
 * @param sends receives one entry for each list, in memory of the handle that is valid as long as the handle
 * @param count receives the number of lists */
wherry_status wherry_index_lists_sends(wherry_index_lists lists, const wherry_peer_indices** sends, int* count);
/** The lists of the elements that this rank receives, in the same way. Local. */
wherry_status wherry_index_lists_receives(wherry_index_lists lists, const wherry_peer_indices** receives, int* count);

/** The elements of all arrays from `begin` to `end`, the end excluded, that `wherry_exchange_ready` sends. */
typedef struct wherry_index_part {
  int64_t begin, end;
} wherry_index_part;

/** Options of an index exchange, the same on all ranks except for `parts`, `carry.threads` and `carry.name`. */
typedef struct wherry_index_options {
  size_t struct_size;
  /** Not 0: ghosts travel to their owners, and keep their values. If an element has several ghosts, an `update` must
   * combine them. */
  int reverse;
  wherry_reduction update;         /**< combines arriving elements with those that are there */
  wherry_reduction combine_copies; /**< combines each element with all its ghosts and gives all of them the result */
  const wherry_index_part* parts;  /**< for wherry_exchange_start_in_parts; they must not overlap */
  int part_count;
  wherry_carry_options carry;
} wherry_index_options;

/** Plans and binds the exchange of one or more arrays, which may differ in type, number of components and strides, and
 * travel together. Collective over `comm`; each rank gives its lists and its part of the same arrays. The arrays stay
 * the program's; the structures are copied.
 * @param arrays each has one dimension, which counts the elements, or two: dimension 0 counts the components of an
 *        element, dimension 1 the elements. If `data` is NULL, each start gives the array
 *        (`wherry_exchange_start_with`)
 * @param options may be NULL
 * @param result receives the handle; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for an index outside of its array, a peer that is not a rank, or
 *         parts that overlap; WHERRY_ERROR_MISMATCH on all ranks alike if ranks differ in the lengths of their lists,
 *         in options, or in the number or types of arrays */
wherry_status wherry_index_exchange_create(wherry_communicator comm, wherry_index_lists lists, int array_count,
                                           const wherry_view* arrays, const wherry_index_options* options,
                                           wherry_exchange* result);

/** Index lists that have been planned once, for arrays of certain shapes. Any number of exchanges can be bound to a
 * plan, and they may be in flight independently of each other. */
typedef struct wherry_index_plan_object* wherry_index_plan;

/** Makes a plan. Collective over `comm`; for the arguments see `wherry_index_exchange_create`. */
wherry_status wherry_index_plan_create(wherry_communicator comm, wherry_index_lists lists, int array_count,
                                       const wherry_view* arrays, const wherry_index_options* options,
                                       wherry_index_plan* result);
/** Binds an exchange to a plan. Collective over the plan's communicator.
 * @param array_count the number of arrays with which the plan was made, or 0
 * @param arrays the address of each, in the shape with which the plan was made, which Wherry cannot check; with
 *        `array_count` 0 they are the arrays of the plan */
wherry_status wherry_index_plan_bind(wherry_index_plan plan, int array_count, void* const* arrays,
                                     wherry_exchange* result);
/** This rank's part of the plan as JSON. Local.
 * @param text receives a text of the plan, valid until the next call of this function for it, or its end */
wherry_status wherry_index_plan_to_json(wherry_index_plan plan, const char** text);
/** Frees the handle and sets it to NULL; NULL is left so. Local. Exchanges that are bound to the plan stay. */
wherry_status wherry_index_plan_free(wherry_index_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
