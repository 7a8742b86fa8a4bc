/** @file
 * Sparse exchanges: elements for ranks that do not know that something will come (C++: wherry/sparse/sparse.hpp).
 *
 *     wherry_view values = wherry_c_array(particles, wherry_bytes(sizeof(particle)), 1, &count);
 *     wherry_arrivals arrived;
 *     wherry_view mine;
 *     wherry_send_to(comm, owners, values, NULL, &arrived);  // particle i goes to rank owners[i]
 *     wherry_arrivals_all(arrived, &mine);                   // mine.extents[0] particles from mine.data on
 *     ...
 *     wherry_arrivals_free(&arrived);
 *
 * Take an index exchange or another pattern that is bound if both sides know what moves.
 */
#ifndef WHERRY_C_SPARSE_H
#define WHERRY_C_SPARSE_H

#include <stdint.h>

#include "wherry/c/arrays.h"
#include "wherry/c/communicator.h"
#include "wherry/c/exchange.h"
#include "wherry/c/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Elements that have arrived, ordered by the rank that sent them, and for each rank in the order in which it gave
 * them. The order depends neither on time nor on the algorithm. */
typedef struct wherry_arrivals_object* wherry_arrivals;
/** A sparse exchange that has begun. Several may be under way on a communicator: all ranks start them in the same order
 * and end them in any order. */
typedef struct wherry_arriving_object* wherry_arriving;

/** Options of sparse exchanges, the same on all ranks except for the list `receive_from`. */
typedef struct wherry_sparse_options {
  size_t struct_size;
  const char* algorithm; /**< one of `wherry_sparse_algorithms`; NULL: "auto" */
  /** Not 0: `receive_from` lists the ranks that send to this one. Then nothing is sent between other ranks; a rank
   * gives something, perhaps a parcel without elements, to exactly the ranks that have it in their lists. */
  int knows_sources;
  const int* receive_from;
  int receive_from_count;
  /** Bytes of elements that leave and that arrive at once, on each rank; 0: no limit. Neither for exchanges that are
   * started and ended later, nor with `knows_sources`. */
  int64_t limit_bytes;
} wherry_sparse_options;

/** The names of the algorithms, "auto" not included. Local.
 * @param names receives `count` names, which are always valid */
wherry_status wherry_sparse_algorithms(const char* const** names, int* count);

/** Sends element i of `values` to rank `destinations[i]`, for each i, and returns what other ranks sent to this one.
 * Collective over `comm`. A rank may send to itself, and may give nothing.
 * @param destinations one rank for each element of `values`
 * @param values of one dimension, in memory of the host
 * @param options may be NULL
 * @param result receives the elements that have arrived; NULL after an error
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for a destination that is no rank, or another wrong argument of any
 *         rank (with `knows_sources` on the ranks that receive from it); WHERRY_ERROR_MISMATCH on all ranks alike if
 *         ranks give different types or options. WHERRY_ERROR_TIMEOUT if a rank does not come: the exchange goes on by
 *         itself, so that the others get what this rank gave */
wherry_status wherry_send_to(wherry_communicator comm, const int* destinations, wherry_view values,
                             const wherry_sparse_options* options, wherry_arrivals* result);
/** Starts to send, as `wherry_send_to`. Collective over `comm`, but does not wait for other ranks, except in the first
 * sparse exchange on `comm`. The arguments may be changed or freed as soon as it returns. A wrong argument of any rank
 * is an error of `wherry_arriving_wait` on all ranks. */
wherry_status wherry_send_to_start(wherry_communicator comm, const int* destinations, wherry_view values,
                                   const wherry_sparse_options* options, wherry_arriving* result);

/** Elements for one rank. Several parcels for a rank arrive one behind the other, in the order in which they are
 * given. */
typedef struct wherry_parcel {
  int to;
  int64_t count;        /**< perhaps 0: the receiver then has this rank among its sources */
  const void* elements; /**< `count` elements, side by side */
} wherry_parcel;

/** Sends parcels, and returns what other ranks sent to this one. Collective over `comm`. In all other respects it is
 * like `wherry_send_to`.
 * @param type, components of the elements of all parcels: an element consists of `components` numbers of `type`; 0
 *        components mean 1 */
wherry_status wherry_sparse_exchange(wherry_communicator comm, int parcel_count, const wherry_parcel* parcels,
                                     wherry_type type, int components, const wherry_sparse_options* options,
                                     wherry_arrivals* result);
/** Starts to send parcels, as `wherry_send_to_start`. */
wherry_status wherry_sparse_exchange_start(wherry_communicator comm, int parcel_count, const wherry_parcel* parcels,
                                           wherry_type type, int components, const wherry_sparse_options* options,
                                           wherry_arriving* result);

/** Makes progress. `*done` becomes 1 if all elements of this rank have arrived and left, else 0. Local. */
wherry_status wherry_arriving_test(wherry_arriving arriving, int* done);
/** Waits for the end, and gives the elements that have arrived, which can be taken once.
 * @return as `wherry_send_to`; after WHERRY_ERROR_TIMEOUT the call may be repeated; WHERRY_ERROR_STATE if the elements
 *         have been taken */
wherry_status wherry_arriving_wait(wherry_arriving arriving, wherry_arrivals* result);
/** The name of the algorithm. Local. @param name is valid until the handle is freed */
wherry_status wherry_arriving_algorithm(wherry_arriving arriving, const char** name);
/** Frees the handle and sets it to NULL; NULL is left so. Local. An exchange that has not ended goes on by itself, so
 * that the other ranks get this rank's elements. */
wherry_status wherry_arriving_free(wherry_arriving* arriving);

/** All elements that have arrived, as an array of one dimension in memory of the handle, which the program may change.
 * Local. It is valid until the handle is freed. */
wherry_status wherry_arrivals_all(wherry_arrivals arrivals, wherry_view* all);
/** The elements that one rank sent, in the same memory; none if it sent nothing. Local. */
wherry_status wherry_arrivals_from(wherry_arrivals arrivals, int rank, wherry_view* elements);
/** The ranks that sent something, in ascending order. A rank that sent a parcel without elements is one of them. Local.
 * @param ranks receives a list of the handle's
 * @param count receives their number */
wherry_status wherry_arrivals_sources(wherry_arrivals arrivals, const int** ranks, int* count);
/** For each source the index of its first element among all, and behind them the number of all elements. Local.
 * @param offsets receives a list of the handle's with one number more than there are sources */
wherry_status wherry_arrivals_offsets(wherry_arrivals arrivals, const int64_t** offsets);
/** The rank that sent an element. Local. @param place index of the element among all */
wherry_status wherry_arrivals_source_of(wherry_arrivals arrivals, int64_t place, int* rank);
/** Frees the handle and the elements, and sets it to NULL; NULL is left so. Local. */
wherry_status wherry_arrivals_free(wherry_arrivals* arrivals);

/** A sparse exchange that is repeated: the ranks find out once who sends to whom. Any number of exchanges of elements
 * of any types can be bound to it, and of answers, which travel back to the ranks that have sent the elements. */
typedef struct wherry_sparse_plan_object* wherry_sparse_plan;

/** Options of the exchanges of a plan. */
typedef struct wherry_sparse_plan_options {
  size_t struct_size;
  wherry_carry_options carry;
} wherry_sparse_plan_options;

/** Makes a plan in which element i of this rank goes to rank `destinations[i]`. Collective over `comm`.
 * @param count the number of elements of this rank, perhaps 0
 * @param options may be NULL; `limit_bytes` must be 0
 * @return as `wherry_send_to` */
wherry_status wherry_sparse_plan_create(wherry_communicator comm, int64_t count, const int* destinations,
                                        const wherry_sparse_options* options, wherry_sparse_plan* result);
/** The number of elements that arrive on this rank. Local. */
wherry_status wherry_sparse_plan_arriving(wherry_sparse_plan plan, int64_t* count);
/** The ranks that send to this one, in ascending order. Local; for the arguments see `wherry_arrivals_sources`. */
wherry_status wherry_sparse_plan_sources(wherry_sparse_plan plan, const int** ranks, int* count);
/** For each source the index of its first element, and behind them the number of all that arrive. Local. */
wherry_status wherry_sparse_plan_offsets(wherry_sparse_plan plan, const int64_t** offsets);
/** Binds the exchange that sends `values` and receives `arrived`: array 0 and 1 of `wherry_exchange_start_with`.
 * Collective over the plan's communicator.
 * @param values as many elements as there are destinations, side by side in one dimension
 * @param arrived as many elements as arrive, of the same type. `data` of both may be NULL: then each start gives it
 * @param options may be NULL
 * @return WHERRY_ERROR_ARGUMENT on all ranks alike for another number of elements, WHERRY_ERROR_MISMATCH if types or
 *         options differ between ranks */
wherry_status wherry_sparse_plan_exchange(wherry_sparse_plan plan, wherry_view values, wherry_view arrived,
                                          const wherry_sparse_plan_options* options, wherry_exchange* result);
/** Binds the exchange that sends a reply to each element that has arrived: `answers[i]` is the reply to element i of
 * this rank. Collective over the plan's communicator. In all other respects it is like `wherry_sparse_plan_exchange`.
 * @param replies as many elements as arrive, in their order
 * @param answers as many elements as there are destinations */
wherry_status wherry_sparse_plan_answer(wherry_sparse_plan plan, wherry_view replies, wherry_view answers,
                                        const wherry_sparse_plan_options* options, wherry_exchange* result);
/** Frees the handle and sets it to NULL; NULL is left so. Local. Exchanges that are bound to the plan stay. */
wherry_status wherry_sparse_plan_free(wherry_sparse_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
