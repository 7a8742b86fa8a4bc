/** @file
 * Collectives with the arguments of MPI, by any of several implementations: blocking, split-phase or persistent
 * (C++: wherry/collective/run.hpp; docs/collective_choice.md describes the implementations).
 *
 *     wherry_allreduce(u, sum, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);      // blocking, as MPI_Allreduce
 *
 *     const wherry_call call = wherry_call_allreduce(u, sum, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
 *     wherry_request request;
 *     wherry_call_run(&call, "ring", NULL);         // blocking, by this implementation
 *     wherry_call_start(&call, NULL, &request);     // split-phase
 *     // compute
 *     wherry_request_wait(request);
 *     wherry_request_free(&request);
 *
 * All ranks of the call's communicator make the same calls in the same order. A wrong argument of one rank is an error
 * of that rank before anything is sent; the other ranks get it, with its rank among the peers, in this call or in their
 * next one, and unless all ranks have the same error no further collective of Wherry's is possible on this
 * communicator. Ranks that are inside of the implementations `mpi` and `nonblocking` cannot be told, unless
 * WHERRY_CHECK=1 compares each call before it begins.
 */
#ifndef WHERRY_C_COLLECTIVE_H
#define WHERRY_C_COLLECTIVE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "wherry/c/call.h"
#include "wherry/c/exchange.h"
#include "wherry/c/options.h"
#include "wherry/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The name of a collective as in MPI, without "MPI_" and in lower case; "" for a number that is none. */
const char* wherry_collective_name(wherry_collective kind);

/** Runs the call. Collective over the call's communicator; its first use also sets it up.
 * @param implementation the name of an implementation, the same on all ranks: MPI's own runs if it cannot do this call.
 *        NULL: the one that is chosen for this collective and size (see `wherry_choose`)
 * @param ran receives the name of the implementation that ran, a text that is never freed; may be NULL
 * @return WHERRY_ERROR_ARGUMENT before anything is sent; WHERRY_ERROR_MISMATCH if the ranks mean different calls;
 *         WHERRY_ERROR_TIMEOUT after WHERRY_TIMEOUT seconds. After a timeout only MPI's own collectives may be called
 *         on this communicator, and after a mismatch none */
wherry_status wherry_call_run(const wherry_call* call, const char* implementation, const char** ran);

/** Says which implementation `wherry_call_run` would use for this call, and why. Local once the communicator has been
 * set up, else collective over it.
 * @param text receives a text that is valid until this thread asks for another text of collectives */
wherry_status wherry_call_explain(const wherry_call* call, const char** text);
/** Says why an implementation cannot do this call. Local once the communicator has been set up, else collective.
 * @param why receives the reason, a text that is never freed; empty if it can */
wherry_status wherry_call_obstacle(const wherry_call* call, const char* implementation, const char** why);

/** Options of a call that is begun. */
typedef struct wherry_start_options {
  size_t struct_size;
  /** Not 0: the send buffer may be written to as soon as the call has begun, at the cost of a copy. The receive buffer,
   * and the buffer of a broadcast, belong to the call until it has ended. */
  int protected_buffer;
  const char* implementation; /**< as for `wherry_call_run` */
} wherry_start_options;

/** A call that is in flight, or can be begun again and again. */
typedef struct wherry_request_object* wherry_request;

/** Begins the call and does not wait for other ranks, but in the first use of a communicator. Collective in the sense
 * that all ranks begin the same collectives in the same order; they may end them in any order. The buffers must stay
 * until the call has ended. The call's lists, datatypes, operation and communicator may be freed as soon as this
 * function returns. The call goes on in `wherry_request_test` and `wherry_request_wait`, and whenever this rank waits
 * in any other call of Wherry.
 * @param options may be NULL
 * @param result receives the request; NULL after an error
 * @return as `wherry_call_run` */
wherry_status wherry_call_start(const wherry_call* call, const wherry_start_options* options, wherry_request* result);
/** Makes a request for `wherry_request_start`, which begins the call each time. Local; nothing is sent. The buffers
 * must stay as long as the request; lists, datatypes and the operation may be freed. */
wherry_status wherry_call_persistent(const wherry_call* call, const wherry_start_options* options,
                                     wherry_request* result);

/** Begins the call of a persistent request, as `wherry_call_start` does.
 * @return WHERRY_ERROR_STATE if its last start has not ended, or if the request is not persistent */
wherry_status wherry_request_start(wherry_request request);
/** Makes progress. `*done` becomes 1 if the call has ended, or has not begun, and 0 otherwise. Local. */
wherry_status wherry_request_test(wherry_request request, int* done);
/** Returns when the call has ended. @return as `wherry_call_run` */
wherry_status wherry_request_wait(wherry_request request);
/** `wherry_request_start` and `wherry_request_wait`. */
wherry_status wherry_request_run(wherry_request request);
/** Gives up a call in flight. The other ranks get what this rank has sent by then, or a timeout, and only MPI's own
 * collectives may be called on the communicator. The buffers must stay, because MPI may still write to them. The
 * request can then only be freed. Local. */
wherry_status wherry_request_abandon(wherry_request request);
/** Waits for a call in flight, frees the request, and sets it to NULL; NULL is left so. A call of which
 * `wherry_request_wait` or `wherry_request_test` has failed is given up instead. */
wherry_status wherry_request_free(wherry_request* request);

/** The name of the implementation, also after the end. Before the first start of a persistent request it is that of
 * the implementation that would run; this is collective if the communicator has not been set up yet.
 * @param text receives a text that is valid until this thread asks for another text of collectives; "" if the request
 *        was abandoned */
wherry_status wherry_request_transport(wherry_request request, const char** text);
/** Says which implementation carries the call, why, and how many bytes it moves; see `wherry_request_transport`. */
wherry_status wherry_request_explain(wherry_request request, const char** text);
/** The bytes of this rank that other ranks get, and those of other ranks that this rank gets, each counted once, for
 * all calls of the request that have ended. Local. */
wherry_status wherry_request_statistics(wherry_request request, wherry_statistics* result);

/** @name Blocking collectives
 * Each function is the MPI function of its name, with MPI's arguments in MPI's order and counts of 64 bits, by the
 * implementation that is chosen. It is collective over `comm`.
 * @return as `wherry_call_run`
 * @{ */
static inline wherry_status wherry_barrier(MPI_Comm comm) {
  const wherry_call call = wherry_call_barrier(comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_bcast(void* buffer, int64_t count, MPI_Datatype type, int root, MPI_Comm comm) {
  const wherry_call call = wherry_call_bcast(buffer, count, type, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_gather(const void* send, int64_t send_count, MPI_Datatype send_type, void* receive,
                                          int64_t receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const wherry_call call =
      wherry_call_gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_gatherv(const void* send, int64_t send_count, MPI_Datatype send_type, void* receive,
                                           const int* receive_counts, const int* receive_displacements,
                                           MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const wherry_call call = wherry_call_gatherv(send, send_count, send_type, receive, receive_counts,
                                               receive_displacements, receive_type, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_scatter(const void* send, int64_t send_count, MPI_Datatype send_type, void* receive,
                                           int64_t receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const wherry_call call =
      wherry_call_scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_scatterv(const void* send, const int* send_counts, const int* send_displacements,
                                            MPI_Datatype send_type, void* receive, int64_t receive_count,
                                            MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const wherry_call call = wherry_call_scatterv(send, send_counts, send_displacements, send_type, receive,
                                                receive_count, receive_type, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_reduce(const void* send, void* receive, int64_t count, MPI_Datatype type, MPI_Op op,
                                          int root, MPI_Comm comm) {
  const wherry_call call = wherry_call_reduce(send, receive, count, type, op, root, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_allgather(const void* send, int64_t send_count, MPI_Datatype send_type,
                                             void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                             MPI_Comm comm) {
  const wherry_call call =
      wherry_call_allgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_allgatherv(const void* send, int64_t send_count, MPI_Datatype send_type,
                                              void* receive, const int* receive_counts,
                                              const int* receive_displacements, MPI_Datatype receive_type,
                                              MPI_Comm comm) {
  const wherry_call call = wherry_call_allgatherv(send, send_count, send_type, receive, receive_counts,
                                                  receive_displacements, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_allreduce(const void* send, void* receive, int64_t count, MPI_Datatype type,
                                             MPI_Op op, MPI_Comm comm) {
  const wherry_call call = wherry_call_allreduce(send, receive, count, type, op, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_reduce_scatter(const void* send, void* receive, const int* receive_counts,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const wherry_call call = wherry_call_reduce_scatter(send, receive, receive_counts, type, op, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_reduce_scatter_block(const void* send, void* receive, int64_t receive_count,
                                                        MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const wherry_call call = wherry_call_reduce_scatter_block(send, receive, receive_count, type, op, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_scan(const void* send, void* receive, int64_t count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm) {
  const wherry_call call = wherry_call_scan(send, receive, count, type, op, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_exscan(const void* send, void* receive, int64_t count, MPI_Datatype type, MPI_Op op,
                                          MPI_Comm comm) {
  const wherry_call call = wherry_call_exscan(send, receive, count, type, op, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_alltoall(const void* send, int64_t send_count, MPI_Datatype send_type, void* receive,
                                            int64_t receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const wherry_call call =
      wherry_call_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                             MPI_Datatype send_type, void* receive, const int* receive_counts,
                                             const int* receive_displacements, MPI_Datatype receive_type,
                                             MPI_Comm comm) {
  const wherry_call call = wherry_call_alltoallv(send, send_counts, send_displacements, send_type, receive,
                                                 receive_counts, receive_displacements, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                                             const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                             const int* receive_displacements, const MPI_Datatype* receive_types,
                                             MPI_Comm comm) {
  const wherry_call call = wherry_call_alltoallw(send, send_counts, send_displacements, send_types, receive,
                                                 receive_counts, receive_displacements, receive_types, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_neighbor_allgather(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                      void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                                      MPI_Comm comm) {
  const wherry_call call =
      wherry_call_neighbor_allgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_neighbor_allgatherv(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                       void* receive, const int* receive_counts,
                                                       const int* receive_displacements, MPI_Datatype receive_type,
                                                       MPI_Comm comm) {
  const wherry_call call = wherry_call_neighbor_allgatherv(send, send_count, send_type, receive, receive_counts,
                                                           receive_displacements, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_neighbor_alltoall(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                     void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                                     MPI_Comm comm) {
  const wherry_call call =
      wherry_call_neighbor_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_neighbor_alltoallv(const void* send, const int* send_counts,
                                                      const int* send_displacements, MPI_Datatype send_type,
                                                      void* receive, const int* receive_counts,
                                                      const int* receive_displacements, MPI_Datatype receive_type,
                                                      MPI_Comm comm) {
  const wherry_call call = wherry_call_neighbor_alltoallv(send, send_counts, send_displacements, send_type, receive,
                                                          receive_counts, receive_displacements, receive_type, comm);
  return wherry_call_run(&call, NULL, NULL);
}
static inline wherry_status wherry_neighbor_alltoallw(const void* send, const int* send_counts,
                                                      const MPI_Aint* send_addresses, const MPI_Datatype* send_types,
                                                      void* receive, const int* receive_counts,
                                                      const MPI_Aint* receive_addresses,
                                                      const MPI_Datatype* receive_types, MPI_Comm comm) {
  const wherry_call call = wherry_call_neighbor_alltoallw(send, send_counts, send_addresses, send_types, receive,
                                                          receive_counts, receive_addresses, receive_types, comm);
  return wherry_call_run(&call, NULL, NULL);
}
/** @} */

#ifdef __cplusplus
}
#endif

#endif
