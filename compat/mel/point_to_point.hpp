/// @file
/// Messages between two ranks, in all of MPI's modes: `count` objects of a datatype, or of the type of the pointer. A
/// type that MPI does not know travels as bytes. A call that begins an operation returns its request, or writes it to
/// its last argument. No call is collective. Bsend needs a buffer from MPI_Buffer_attach.
#pragma once

#include <mpi.h>

#include <utility>

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/request.hpp"

namespace MEL {

inline void Send(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  detail::call("MEL::Send", MPI_Send, ptr, count, type, dst, tag, comm);
}
template <class T> void Send(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  Send(ptr, count, detail::type_of<T>("MEL::Send", count), dst, tag, comm);
}
template <class T> void Send(const T& value, int dst, int tag, const Comm& comm) { Send(&value, 1, dst, tag, comm); }

/// Sends by way of the attached buffer.
inline void Bsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  detail::call("MEL::Bsend", MPI_Bsend, ptr, count, type, dst, tag, comm);
}
template <class T> void Bsend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  Bsend(ptr, count, detail::type_of<T>("MEL::Bsend", count), dst, tag, comm);
}

/// Sends, and returns after the receiver has begun to receive.
inline void Ssend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  detail::call("MEL::Ssend", MPI_Ssend, ptr, count, type, dst, tag, comm);
}
template <class T> void Ssend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  Ssend(ptr, count, detail::type_of<T>("MEL::Ssend", count), dst, tag, comm);
}

/// Sends to a receiver that must be waiting already.
inline void Rsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  detail::call("MEL::Rsend", MPI_Rsend, ptr, count, type, dst, tag, comm);
}
template <class T> void Rsend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  Rsend(ptr, count, detail::type_of<T>("MEL::Rsend", count), dst, tag, comm);
}

inline Request Isend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  return detail::begin("MEL::Isend", MPI_Isend, ptr, count, type, dst, tag, comm);
}
inline void Isend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm,
                  Request& request) {
  request = Isend(ptr, count, type, dst, tag, comm);
}
template <class T> Request Isend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  return Isend(ptr, count, detail::type_of<T>("MEL::Isend", count), dst, tag, comm);
}
template <class T> void Isend(const T* ptr, int count, int dst, int tag, const Comm& comm, Request& request) {
  request = Isend(ptr, count, dst, tag, comm);
}

inline Request Ibsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  return detail::begin("MEL::Ibsend", MPI_Ibsend, ptr, count, type, dst, tag, comm);
}
inline void Ibsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm,
                   Request& request) {
  request = Ibsend(ptr, count, type, dst, tag, comm);
}
template <class T> Request Ibsend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  return Ibsend(ptr, count, detail::type_of<T>("MEL::Ibsend", count), dst, tag, comm);
}
template <class T> void Ibsend(const T* ptr, int count, int dst, int tag, const Comm& comm, Request& request) {
  request = Ibsend(ptr, count, dst, tag, comm);
}

inline Request Issend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  return detail::begin("MEL::Issend", MPI_Issend, ptr, count, type, dst, tag, comm);
}
inline void Issend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm,
                   Request& request) {
  request = Issend(ptr, count, type, dst, tag, comm);
}
template <class T> Request Issend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  return Issend(ptr, count, detail::type_of<T>("MEL::Issend", count), dst, tag, comm);
}
template <class T> void Issend(const T* ptr, int count, int dst, int tag, const Comm& comm, Request& request) {
  request = Issend(ptr, count, dst, tag, comm);
}

inline Request Irsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm) {
  return detail::begin("MEL::Irsend", MPI_Irsend, ptr, count, type, dst, tag, comm);
}
inline void Irsend(const void* ptr, int count, const Datatype& type, int dst, int tag, const Comm& comm,
                   Request& request) {
  request = Irsend(ptr, count, type, dst, tag, comm);
}
template <class T> Request Irsend(const T* ptr, int count, int dst, int tag, const Comm& comm) {
  return Irsend(ptr, count, detail::type_of<T>("MEL::Irsend", count), dst, tag, comm);
}
template <class T> void Irsend(const T* ptr, int count, int dst, int tag, const Comm& comm, Request& request) {
  request = Irsend(ptr, count, dst, tag, comm);
}

inline Status Recv(void* ptr, int count, const Datatype& type, int src, int tag, const Comm& comm) {
  return detail::answer<Status>("MEL::Recv", MPI_Recv, ptr, count, type, src, tag, comm);
}
template <class T> Status Recv(T* ptr, int count, int src, int tag, const Comm& comm) {
  return Recv(ptr, count, detail::type_of<T>("MEL::Recv", count), src, tag, comm);
}
template <class T> Status Recv(T& value, int src, int tag, const Comm& comm) { return Recv(&value, 1, src, tag, comm); }

inline Request Irecv(void* ptr, int count, const Datatype& type, int src, int tag, const Comm& comm) {
  return detail::begin("MEL::Irecv", MPI_Irecv, ptr, count, type, src, tag, comm);
}
inline void Irecv(void* ptr, int count, const Datatype& type, int src, int tag, const Comm& comm, Request& request) {
  request = Irecv(ptr, count, type, src, tag, comm);
}
template <class T> Request Irecv(T* ptr, int count, int src, int tag, const Comm& comm) {
  return Irecv(ptr, count, detail::type_of<T>("MEL::Irecv", count), src, tag, comm);
}
template <class T> void Irecv(T* ptr, int count, int src, int tag, const Comm& comm, Request& request) {
  request = Irecv(ptr, count, src, tag, comm);
}

/// Waits for the next message and describes it, without receiving it.
inline Status Probe(int src, int tag, const Comm& comm) {
  return detail::answer<Status>("MEL::Probe", MPI_Probe, src, tag, comm);
}
/// Returns true and a description, if a message has come.
inline std::pair<bool, Status> Iprobe(int src, int tag, const Comm& comm) {
  int found = 0;
  Status status{};
  detail::call("MEL::Iprobe", MPI_Iprobe, src, tag, comm, &found, &status);
  return {found != 0, status};
}
/// The number of objects in a message, received or still to be received; MPI_UNDEFINED if its bytes are not a whole
/// number of objects.
inline int ProbeGetCount(const Datatype& type, const Status& status) {
  return detail::answer<int>("MEL::ProbeGetCount", MPI_Get_count, &status, type);
}
inline int ProbeGetCount(const Datatype& type, int src, int tag, const Comm& comm) {
  return ProbeGetCount(type, detail::answer<Status>("MEL::ProbeGetCount", MPI_Probe, src, tag, comm));
}
template <class T> int ProbeGetCount(const Status& status) {
  return ProbeGetCount(detail::type_of<T>("MEL::ProbeGetCount", 0), status);
}
template <class T> int ProbeGetCount(int src, int tag, const Comm& comm) {
  return ProbeGetCount(detail::type_of<T>("MEL::ProbeGetCount", 0), src, tag, comm);
}

}  // namespace MEL
