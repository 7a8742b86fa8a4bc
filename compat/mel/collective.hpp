/// @file
/// Collectives, blocking and non-blocking, with MPI's arguments; pointers that are not significant on a rank may be
/// null. All calls are collective over `comm`. A call that begins an operation returns its request, or writes it to its
/// last argument; buffers and lists must stay unchanged until the operation is complete.
#pragma once

#include <mpi.h>

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/operation.hpp"
#include "mel/request.hpp"

namespace MEL {

inline void Bcast(void* ptr, int count, const Datatype& type, int root, const Comm& comm) {
  detail::call("MEL::Bcast", MPI_Bcast, ptr, count, type, root, comm);
}
template <class T> void Bcast(T* ptr, int count, int root, const Comm& comm) {
  Bcast(ptr, count, detail::type_of<T>("MEL::Bcast", count), root, comm);
}
template <class T> void Bcast(T& value, int root, const Comm& comm) { Bcast(&value, 1, root, comm); }
inline Request Ibcast(void* ptr, int count, const Datatype& type, int root, const Comm& comm) {
  return detail::begin("MEL::Ibcast", MPI_Ibcast, ptr, count, type, root, comm);
}
inline void Ibcast(void* ptr, int count, const Datatype& type, int root, const Comm& comm, Request& request) {
  request = Ibcast(ptr, count, type, root, comm);
}
template <class T> Request Ibcast(T* ptr, int count, int root, const Comm& comm) {
  return Ibcast(ptr, count, detail::type_of<T>("MEL::Ibcast", count), root, comm);
}
template <class T> void Ibcast(T* ptr, int count, int root, const Comm& comm, Request& request) {
  request = Ibcast(ptr, count, root, comm);
}

inline void Scatter(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                    const Datatype& receive_type, int root, const Comm& comm) {
  detail::call("MEL::Scatter", MPI_Scatter, send, send_count, send_type, receive, receive_count, receive_type, root,
               comm);
}
inline Request Iscatter(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                        const Datatype& receive_type, int root, const Comm& comm) {
  return detail::begin("MEL::Iscatter", MPI_Iscatter, send, send_count, send_type, receive, receive_count, receive_type,
                       root, comm);
}
inline void Iscatter(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                     const Datatype& receive_type, int root, const Comm& comm, Request& request) {
  request = Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
}

inline void Scatterv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                     void* receive, int receive_count, const Datatype& receive_type, int root, const Comm& comm) {
  detail::call("MEL::Scatterv", MPI_Scatterv, send, send_counts, send_places, send_type, receive, receive_count,
               receive_type, root, comm);
}
inline Request Iscatterv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                         void* receive, int receive_count, const Datatype& receive_type, int root, const Comm& comm) {
  return detail::begin("MEL::Iscatterv", MPI_Iscatterv, send, send_counts, send_places, send_type, receive,
                       receive_count, receive_type, root, comm);
}
inline void Iscatterv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                      void* receive, int receive_count, const Datatype& receive_type, int root, const Comm& comm,
                      Request& request) {
  request = Iscatterv(send, send_counts, send_places, send_type, receive, receive_count, receive_type, root, comm);
}

inline void Gather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                   const Datatype& receive_type, int root, const Comm& comm) {
  detail::call("MEL::Gather", MPI_Gather, send, send_count, send_type, receive, receive_count, receive_type, root,
               comm);
}
inline Request Igather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                       const Datatype& receive_type, int root, const Comm& comm) {
  return detail::begin("MEL::Igather", MPI_Igather, send, send_count, send_type, receive, receive_count, receive_type,
                       root, comm);
}
inline void Igather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                    const Datatype& receive_type, int root, const Comm& comm, Request& request) {
  request = Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
}

inline void Gatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                    const int* receive_counts, const int* receive_places, const Datatype& receive_type, int root,
                    const Comm& comm) {
  detail::call("MEL::Gatherv", MPI_Gatherv, send, send_count, send_type, receive, receive_counts, receive_places,
               receive_type, root, comm);
}
inline Request Igatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                        const int* receive_counts, const int* receive_places, const Datatype& receive_type, int root,
                        const Comm& comm) {
  return detail::begin("MEL::Igatherv", MPI_Igatherv, send, send_count, send_type, receive, receive_counts,
                       receive_places, receive_type, root, comm);
}
inline void Igatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                     const int* receive_counts, const int* receive_places, const Datatype& receive_type, int root,
                     const Comm& comm, Request& request) {
  request = Igatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type, root, comm);
}

inline void Allgather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                      const Datatype& receive_type, const Comm& comm) {
  detail::call("MEL::Allgather", MPI_Allgather, send, send_count, send_type, receive, receive_count, receive_type,
               comm);
}
inline Request Iallgather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                          const Datatype& receive_type, const Comm& comm) {
  return detail::begin("MEL::Iallgather", MPI_Iallgather, send, send_count, send_type, receive, receive_count,
                       receive_type, comm);
}
inline void Iallgather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                       const Datatype& receive_type, const Comm& comm, Request& request) {
  request = Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

inline void Allgatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                       const int* receive_counts, const int* receive_places, const Datatype& receive_type,
                       const Comm& comm) {
  detail::call("MEL::Allgatherv", MPI_Allgatherv, send, send_count, send_type, receive, receive_counts, receive_places,
               receive_type, comm);
}
inline Request Iallgatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                           const int* receive_counts, const int* receive_places, const Datatype& receive_type,
                           const Comm& comm) {
  return detail::begin("MEL::Iallgatherv", MPI_Iallgatherv, send, send_count, send_type, receive, receive_counts,
                       receive_places, receive_type, comm);
}
inline void Iallgatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                        const int* receive_counts, const int* receive_places, const Datatype& receive_type,
                        const Comm& comm, Request& request) {
  request = Iallgatherv(send, send_count, send_type, receive, receive_counts, receive_places, receive_type, comm);
}

inline void Alltoall(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                     const Datatype& receive_type, const Comm& comm) {
  detail::call("MEL::Alltoall", MPI_Alltoall, send, send_count, send_type, receive, receive_count, receive_type, comm);
}
inline Request Ialltoall(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                         const Datatype& receive_type, const Comm& comm) {
  return detail::begin("MEL::Ialltoall", MPI_Ialltoall, send, send_count, send_type, receive, receive_count,
                       receive_type, comm);
}
inline void Ialltoall(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                      const Datatype& receive_type, const Comm& comm, Request& request) {
  request = Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

inline void Alltoallv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                      void* receive, const int* receive_counts, const int* receive_places, const Datatype& receive_type,
                      const Comm& comm) {
  detail::call("MEL::Alltoallv", MPI_Alltoallv, send, send_counts, send_places, send_type, receive, receive_counts,
               receive_places, receive_type, comm);
}
inline Request Ialltoallv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                          void* receive, const int* receive_counts, const int* receive_places,
                          const Datatype& receive_type, const Comm& comm) {
  return detail::begin("MEL::Ialltoallv", MPI_Ialltoallv, send, send_counts, send_places, send_type, receive,
                       receive_counts, receive_places, receive_type, comm);
}
inline void Ialltoallv(const void* send, const int* send_counts, const int* send_places, const Datatype& send_type,
                       void* receive, const int* receive_counts, const int* receive_places,
                       const Datatype& receive_type, const Comm& comm, Request& request) {
  request = Ialltoallv(send, send_counts, send_places, send_type, receive, receive_counts, receive_places, receive_type,
                       comm);
}

/// Displacements are in bytes.
inline void Alltoallw(const void* send, const int* send_counts, const int* send_places, const Datatype* send_types,
                      void* receive, const int* receive_counts, const int* receive_places,
                      const Datatype* receive_types, const Comm& comm) {
  detail::call("MEL::Alltoallw", MPI_Alltoallw, send, send_counts, send_places,
               detail::handles<MPI_Datatype>(send_types), receive, receive_counts, receive_places,
               detail::handles<MPI_Datatype>(receive_types), comm);
}
inline Request Ialltoallw(const void* send, const int* send_counts, const int* send_places, const Datatype* send_types,
                          void* receive, const int* receive_counts, const int* receive_places,
                          const Datatype* receive_types, const Comm& comm) {
  return detail::begin("MEL::Ialltoallw", MPI_Ialltoallw, send, send_counts, send_places,
                       detail::handles<MPI_Datatype>(send_types), receive, receive_counts, receive_places,
                       detail::handles<MPI_Datatype>(receive_types), comm);
}
inline void Ialltoallw(const void* send, const int* send_counts, const int* send_places, const Datatype* send_types,
                       void* receive, const int* receive_counts, const int* receive_places,
                       const Datatype* receive_types, const Comm& comm, Request& request) {
  request = Ialltoallw(send, send_counts, send_places, send_types, receive, receive_counts, receive_places,
                       receive_types, comm);
}

inline void Reduce(const void* send, void* receive, int count, const Datatype& type, const Op& op, int root,
                   const Comm& comm) {
  detail::call("MEL::Reduce", MPI_Reduce, send, receive, count, type, op, root, comm);
}
inline Request Ireduce(const void* send, void* receive, int count, const Datatype& type, const Op& op, int root,
                       const Comm& comm) {
  return detail::begin("MEL::Ireduce", MPI_Ireduce, send, receive, count, type, op, root, comm);
}
inline void Ireduce(const void* send, void* receive, int count, const Datatype& type, const Op& op, int root,
                    const Comm& comm, Request& request) {
  request = Ireduce(send, receive, count, type, op, root, comm);
}

inline void Allreduce(const void* send, void* receive, int count, const Datatype& type, const Op& op,
                      const Comm& comm) {
  detail::call("MEL::Allreduce", MPI_Allreduce, send, receive, count, type, op, comm);
}
inline Request Iallreduce(const void* send, void* receive, int count, const Datatype& type, const Op& op,
                          const Comm& comm) {
  return detail::begin("MEL::Iallreduce", MPI_Iallreduce, send, receive, count, type, op, comm);
}
inline void Iallreduce(const void* send, void* receive, int count, const Datatype& type, const Op& op, const Comm& comm,
                       Request& request) {
  request = Iallreduce(send, receive, count, type, op, comm);
}

}  // namespace MEL
