/** @file
 * A collective call as a value, with the arguments of its MPI counterpart (C++: wherry/collective/call.hpp).
 *
 *     const wherry_call sum = wherry_call_allreduce(u, all, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
 *     wherry_call_run(&sum, NULL, NULL);  // collective.h runs it, begins it, or keeps it to be begun again and again
 *
 * The types are MPI's own: a program that has MPI has an MPI_Datatype for each of its structures, an MPI_Op for each of
 * its operations and a topology for its neighbours: replace `MPI_Allreduce` by `wherry_allreduce`.
 */
#ifndef WHERRY_C_CALL_H
#define WHERRY_C_CALL_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "wherry/c/options.h"

/** The collectives of MPI-3.1. */
typedef int wherry_collective;
enum {
  WHERRY_BARRIER = 0,
  WHERRY_BCAST = 1,
  WHERRY_GATHER = 2,
  WHERRY_GATHERV = 3,
  WHERRY_SCATTER = 4,
  WHERRY_SCATTERV = 5,
  WHERRY_REDUCE = 6,
  WHERRY_ALLGATHER = 7,
  WHERRY_ALLGATHERV = 8,
  WHERRY_ALLREDUCE = 9,
  WHERRY_REDUCE_SCATTER = 10,
  WHERRY_REDUCE_SCATTER_BLOCK = 11,
  WHERRY_SCAN = 12,
  WHERRY_EXSCAN = 13,
  WHERRY_ALLTOALL = 14,
  WHERRY_ALLTOALLV = 15,
  WHERRY_ALLTOALLW = 16,
  WHERRY_NEIGHBOR_ALLGATHER = 17,
  WHERRY_NEIGHBOR_ALLGATHERV = 18,
  WHERRY_NEIGHBOR_ALLTOALL = 19,
  WHERRY_NEIGHBOR_ALLTOALLV = 20,
  WHERRY_NEIGHBOR_ALLTOALLW = 21
};
/** The number of collectives. */
#define WHERRY_COLLECTIVES 22

/** The arguments of one rank in one call. The functions below fill it; what a collective does not have stays 0. A call
 * refers to the program's buffers, which must stay until the call has ended, and to its lists, which must stay until
 * `wherry_call_run` or `wherry_call_start` returns. */
typedef struct wherry_call {
  size_t struct_size;
  wherry_collective kind;
  int root;
  MPI_Comm comm;
  const void* send;
  void* receive; /**< also the buffer of a broadcast */
  int64_t send_count, receive_count;
  /** A number for each rank or neighbour: `int`s, or if `large_lists` is not 0 MPI_Count for counts and MPI_Aint for
   * displacements. Displacements are in elements, and in bytes for alltoallw. */
  const void *send_counts, *send_displacements, *receive_counts, *receive_displacements;
  MPI_Datatype send_type, receive_type;
  MPI_Op op;
  int large_lists; /**< set it, and the lists, after the function below; `mpi` and `nonblocking` want an MPI 4 then */
  const MPI_Datatype *send_types, *receive_types;     /**< of alltoallw and neighbor_alltoallw */
  const MPI_Aint *send_addresses, *receive_addresses; /**< of neighbor_alltoallw: displacements in bytes */
} wherry_call;

/** @name Calls
 * Each function takes the arguments of the MPI function of its name, in MPI's order and with MPI's meaning, which
 * includes MPI_IN_PLACE, any datatype, any operation and any root. Counts have 64 bits. All of them are local and check
 * nothing, because what runs the call checks it.
 * @{ */
static inline wherry_call wherry_call_barrier(MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_BARRIER;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_bcast(void* buffer, int64_t count, MPI_Datatype type, int root, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_BCAST;
  call.receive = buffer;
  call.receive_count = count;
  call.receive_type = type;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_gather(const void* send, int64_t send_count, MPI_Datatype send_type,
                                             void* receive, int64_t receive_count, MPI_Datatype receive_type, int root,
                                             MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_GATHER;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_gatherv(const void* send, int64_t send_count, MPI_Datatype send_type,
                                              void* receive, const int* receive_counts,
                                              const int* receive_displacements, MPI_Datatype receive_type, int root,
                                              MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_GATHERV;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_type = receive_type;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_scatter(const void* send, int64_t send_count, MPI_Datatype send_type,
                                              void* receive, int64_t receive_count, MPI_Datatype receive_type, int root,
                                              MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_SCATTER;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_scatterv(const void* send, const int* send_counts, const int* send_displacements,
                                               MPI_Datatype send_type, void* receive, int64_t receive_count,
                                               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_SCATTERV;
  call.send = send;
  call.send_counts = send_counts;
  call.send_displacements = send_displacements;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_reduce(const void* send, void* receive, int64_t count, MPI_Datatype type,
                                             MPI_Op op, int root, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_REDUCE;
  call.send = send;
  call.receive = receive;
  call.send_count = count;
  call.receive_count = count;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.root = root;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_allgather(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                                MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLGATHER;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_allgatherv(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                 void* receive, const int* receive_counts,
                                                 const int* receive_displacements, MPI_Datatype receive_type,
                                                 MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLGATHERV;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_allreduce(const void* send, void* receive, int64_t count, MPI_Datatype type,
                                                MPI_Op op, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLREDUCE;
  call.send = send;
  call.receive = receive;
  call.send_count = count;
  call.receive_count = count;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_reduce_scatter(const void* send, void* receive, const int* receive_counts,
                                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_REDUCE_SCATTER;
  call.send = send;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_reduce_scatter_block(const void* send, void* receive, int64_t receive_count,
                                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_REDUCE_SCATTER_BLOCK;
  call.send = send;
  call.receive = receive;
  call.receive_count = receive_count;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_scan(const void* send, void* receive, int64_t count, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_SCAN;
  call.send = send;
  call.receive = receive;
  call.send_count = count;
  call.receive_count = count;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_exscan(const void* send, void* receive, int64_t count, MPI_Datatype type,
                                             MPI_Op op, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_EXSCAN;
  call.send = send;
  call.receive = receive;
  call.send_count = count;
  call.receive_count = count;
  call.send_type = type;
  call.receive_type = type;
  call.op = op;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_alltoall(const void* send, int64_t send_count, MPI_Datatype send_type,
                                               void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                               MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLTOALL;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                                MPI_Datatype send_type, void* receive, const int* receive_counts,
                                                const int* receive_displacements, MPI_Datatype receive_type,
                                                MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLTOALLV;
  call.send = send;
  call.send_counts = send_counts;
  call.send_displacements = send_displacements;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                                                const MPI_Datatype* send_types, void* receive,
                                                const int* receive_counts, const int* receive_displacements,
                                                const MPI_Datatype* receive_types, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_ALLTOALLW;
  call.send = send;
  call.send_counts = send_counts;
  call.send_displacements = send_displacements;
  call.send_types = send_types;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_types = receive_types;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_neighbor_allgather(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                         void* receive, int64_t receive_count,
                                                         MPI_Datatype receive_type, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_NEIGHBOR_ALLGATHER;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_neighbor_allgatherv(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                          void* receive, const int* receive_counts,
                                                          const int* receive_displacements, MPI_Datatype receive_type,
                                                          MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_NEIGHBOR_ALLGATHERV;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_neighbor_alltoall(const void* send, int64_t send_count, MPI_Datatype send_type,
                                                        void* receive, int64_t receive_count, MPI_Datatype receive_type,
                                                        MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_NEIGHBOR_ALLTOALL;
  call.send = send;
  call.send_count = send_count;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_count = receive_count;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_neighbor_alltoallv(const void* send, const int* send_counts,
                                                         const int* send_displacements, MPI_Datatype send_type,
                                                         void* receive, const int* receive_counts,
                                                         const int* receive_displacements, MPI_Datatype receive_type,
                                                         MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_NEIGHBOR_ALLTOALLV;
  call.send = send;
  call.send_counts = send_counts;
  call.send_displacements = send_displacements;
  call.send_type = send_type;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_displacements = receive_displacements;
  call.receive_type = receive_type;
  call.comm = comm;
  return call;
}
static inline wherry_call wherry_call_neighbor_alltoallw(const void* send, const int* send_counts,
                                                         const MPI_Aint* send_addresses, const MPI_Datatype* send_types,
                                                         void* receive, const int* receive_counts,
                                                         const MPI_Aint* receive_addresses,
                                                         const MPI_Datatype* receive_types, MPI_Comm comm) {
  wherry_call call = WHERRY_INIT(wherry_call);
  call.kind = WHERRY_NEIGHBOR_ALLTOALLW;
  call.send = send;
  call.send_counts = send_counts;
  call.send_addresses = send_addresses;
  call.send_types = send_types;
  call.receive = receive;
  call.receive_counts = receive_counts;
  call.receive_addresses = receive_addresses;
  call.receive_types = receive_types;
  call.comm = comm;
  return call;
}
/** @} */

#endif
