/** @file
 * Blocks that are no boxes: floor plans whose parts are sets of integers, such as the nodes that the elements of a rank
 * touch, arrays over them, and movers (C++: wherry/motion/index_floor_plan.hpp, index_array.hpp, index_motions.hpp,
 * index_mover.hpp).
 *
 *     wherry_index_run runs[2] = {{0, 61}, {50, 61}};
 *     wherry_index_set parts[2] = {{1, &runs[0], 0, NULL}, {1, &runs[1], 0, NULL}};
 *     wherry_index_floor_plan_create(2, parts, owners, &touched);
 *     wherry_index_floor_plan_without_overlap(touched, -1, &owned);    // nodes 50 to 60 belong to the first part
 *     wherry_index_motions_halo(owned, touched, &halo);           // from the owner of a node to all who touch it
 *     wherry_index_array_create(comm, touched, WHERRY_FLOAT64, NULL, &u);
 *     const wherry_index_movement movement = {.motions = halo, .source = u, .destination = u};
 *     wherry_index_mover_create(comm, 1, &movement, NULL, &mirror);
 */
#ifndef WHERRY_C_INDEX_BLOCKS_H
#define WHERRY_C_INDEX_BLOCKS_H

#include <stdint.h>

#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/movers.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The integers from `first` to `first + count - 1`. */
typedef struct wherry_index_run {
  int64_t first, count;
} wherry_index_run;
/** A set of integers: those of all runs, and all listed members, in any order. The points of a set are in ascending
 * order. */
typedef struct wherry_index_set {
  int64_t run_count;
  const wherry_index_run* runs;
  int64_t member_count;
  const int64_t* members;
} wherry_index_set;

/** Parts, each with the rank that owns it. Complete or partial, as floor plans of boxes. */
typedef struct wherry_index_floor_plan_object* wherry_index_floor_plan;

/** Makes a complete plan. Local. The sets are copied.
 * @param result receives the handle; NULL after an error */
wherry_status wherry_index_floor_plan_create(int part_count, const wherry_index_set* parts, const int* owners,
                                             wherry_index_floor_plan* result);
/** Numbers the parts of all ranks, rank by rank, and makes a partial plan that knows this rank's parts. Collective over
 * `comm`. */
wherry_status wherry_index_floor_plan_create_distributed(wherry_communicator comm, int part_count,
                                                         const wherry_index_set* parts,
                                                         wherry_index_floor_plan* result);
/** A plan that also knows the parts of other ranks that have points in common with this rank's parts. Collective over
 * `comm`. */
wherry_status wherry_index_floor_plan_resolve(wherry_communicator comm, wherry_index_floor_plan plan,
                                              wherry_index_floor_plan* result);
/** Two plans that also know which parts of the other one have points in common with this rank's parts. Collective over
 * `comm`. */
wherry_status wherry_index_floor_plan_resolve_pair(wherry_communicator comm, wherry_index_floor_plan from,
                                                   wherry_index_floor_plan to, wherry_index_floor_plan* from_result,
                                                   wherry_index_floor_plan* to_result);
/** The parts without their overlap: a point that several parts have stays in the one with the lowest number. Local.
 * @param rank -1; or a rank, whose parts the partial result then knows, and whose neighbours `plan` must know */
wherry_status wherry_index_floor_plan_without_overlap(wherry_index_floor_plan plan, int rank,
                                                      wherry_index_floor_plan* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_index_floor_plan_free(wherry_index_floor_plan* plan);
/** The number of all parts, the number of those that this plan knows, and whether it knows all. Each pointer may be
 * NULL. */
wherry_status wherry_index_floor_plan_size(wherry_index_floor_plan plan, int* size, int* known, int* complete);
/** A part and its owner; both pointers may be NULL.
 * @param part receives the runs of the part, ascending, in memory of the plan that is valid as long as the handle
 * @return WHERRY_ERROR_ARGUMENT for a number that is out of range, or of a part that the plan does not know */
wherry_status wherry_index_floor_plan_part(wherry_index_floor_plan plan, int number, wherry_index_set* part,
                                           int* owner);
/** The place of a point among those of a part, counted from 0; -1 if the part does not have it. */
wherry_status wherry_index_floor_plan_place_of(wherry_index_floor_plan plan, int number, int64_t point, int64_t* place);
/** The numbers of the known parts of a rank, ascending.
 * @param capacity the most numbers that are written to `numbers`, which may be NULL if it is 0
 * @param count receives how many there are */
wherry_status wherry_index_floor_plan_owned_by(wherry_index_floor_plan plan, int rank, int capacity, int* numbers,
                                               int* count);

/** A distributed array with values at the points of each part of a plan. */
typedef struct wherry_index_array_object* wherry_index_array;

/** Options of an index array, the same on all ranks. */
typedef struct wherry_index_array_options {
  size_t struct_size;
  int components;     /**< number of values at a point; 0 means 1 */
  int apart;          /**< not 0: each component is an array of its own; else those of a point are side by side */
  wherry_space space; /**< WHERRY_HOST: memory that the ranks of a node share; WHERRY_DEVICE */
  const char* name;   /**< for errors; may be NULL */
} wherry_index_array_options;

/** Allocates the values of this rank's parts, filled with zeros. Local; all ranks pass the same options.
 * @param options may be NULL
 * @param result receives the handle; NULL after an error */
wherry_status wherry_index_array_create(wherry_communicator comm, wherry_index_floor_plan plan, wherry_type type,
                                        const wherry_index_array_options* options, wherry_index_array* result);
/** Makes an index array of the program's memory, which must outlive it and all that is made of it. Local.
 * @param value_count the number of parts of this rank
 * @param values for each of them, ascending by number, the address of as many values as it has points and components */
wherry_status wherry_index_array_create_over(wherry_communicator comm, wherry_index_floor_plan plan, wherry_type type,
                                             int value_count, void* const* values,
                                             const wherry_index_array_options* options, wherry_index_array* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. The values are freed with the last mover that was made
 * of the array. */
wherry_status wherry_index_array_free(wherry_index_array* array);

/** The values of one part: those of point number i begin at element `i * point_stride`. */
typedef struct wherry_index_block {
  int number; /**< of the part in the plan */
  int components;
  wherry_type type;
  int64_t points;
  void* data;
  int64_t point_stride, component_stride; /**< in elements */
} wherry_index_block;
/** The number of parts of this rank. */
wherry_status wherry_index_array_size(wherry_index_array array, int* parts);
/** One of this rank's parts. @param index from 0, ascending by the parts' numbers */
wherry_status wherry_index_array_part(wherry_index_array array, int index, wherry_index_block* result);

/** Motions, each from one place to another: a list of entries, or the motions of shared points. Local. */
typedef struct wherry_index_motions_object* wherry_index_motions;

/** Makes an empty list. */
wherry_status wherry_index_motions_create(wherry_index_motions* result);
/** Frees the handle and sets it to NULL; NULL is left so. */
wherry_status wherry_index_motions_free(wherry_index_motions* motions);
/** Adds an entry to a list: the k-th point of `source` of part `from` goes to the k-th point of `destination` of part
 * `to`. It is checked when a mover is made. */
wherry_status wherry_index_motions_copy(wherry_index_motions motions, int from, const wherry_index_set* source, int to,
                                        const wherry_index_set* destination);
/** The values of shared points, from their owners to all other parts that touch them.
 * @param owned the points that each part owns: each point in one part only
 * @param touched the points that each part needs */
wherry_status wherry_index_motions_halo(wherry_index_floor_plan owned, wherry_index_floor_plan touched,
                                        wherry_index_motions* result);
/** The value at every point that a part of `from` has in common with a part of `to`. */
wherry_status wherry_index_motions_redistribution(wherry_index_floor_plan from, wherry_index_floor_plan to,
                                                  wherry_index_motions* result);
/** The motions from the destinations back to the sources. */
wherry_status wherry_index_motions_reversed(wherry_index_motions motions, wherry_index_motions* result);

/** As wherry_movement, between index arrays. */
typedef struct wherry_index_movement {
  wherry_index_motions motions;
  wherry_index_array source, destination;
  wherry_reduction update;
  int stage;
} wherry_index_movement;

/** Plans and binds movements between index arrays, as wherry_mover_create does. Collective over `comm`. */
wherry_status wherry_index_mover_create(wherry_communicator comm, int movement_count,
                                        const wherry_index_movement* movements, const wherry_mover_options* options,
                                        wherry_exchange* result);
/** Begins such a mover with other arrays of exactly the same shapes: the source and the destination of each movement,
 * in turn. */
wherry_status wherry_index_mover_start_with(wherry_exchange exchange, int count, const wherry_index_array* arrays);

#ifdef __cplusplus
}
#endif

#endif
