/// @file
/// One-sided calls that read and write the windows of other ranks. No call is collective: the target takes no part.
#pragma once

#include <mpi.h>

#include <string_view>

#include "mel/window.hpp"

namespace MEL {

/// Writes `count` objects of `type` at `ptr` to the window of `rank`, as `target_count` objects of `target_type` from
/// `displacement` on. The objects must stay unchanged until WinUnlock, WinFlushLocal or WinFence. (MPI_Put has the rank
/// before the displacement.)
inline void Put(const void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                const Datatype& target_type, int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Put";
  const detail::transfer all{const_cast<void*>(ptr), count,       type, displacement,
                             target_count,           target_type, rank, window};
  all.check(where);
  if (window.alone())
    detail::copy(where, window.self(), all.here(), all.there());
  else
    all.run(where, MPI_Put, window);
}
/// Writes `len` contiguous objects of plain data.
template <class T> void Put(const T* ptr, int len, int rank, Aint displacement, const Win& window) {
  const detail::type_of<T> type("MEL::Put", len);
  Put(ptr, len, type, displacement, len, type, rank, window);
}

/// Reads `count` objects of `type` to `ptr` from the window of `rank`.
inline void Get(void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                const Datatype& target_type, int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Get";
  const detail::transfer all{ptr, count, type, displacement, target_count, target_type, rank, window};
  all.check(where);
  if (window.alone())
    detail::copy(where, window.self(), all.there(), all.here());
  else
    all.run(where, MPI_Get, window);
}

/// Combines the objects at the target with those at `ptr` by `op`, a predefined operation of MPI.
inline void Accumulate(const void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                       const Datatype& target_type, const Op& op, int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Accumulate";
  const detail::transfer all{const_cast<void*>(ptr), count,       type, displacement,
                             target_count,           target_type, rank, window};
  all.check(where);
  if (window.alone())
    detail::accumulate(where, window.self(), all.here(), op, all.there());
  else
    all.run(where, MPI_Accumulate, op, window);
}

/// Put and Get with a request: when it is complete, `ptr` may be used again. Only between a lock and its unlock.
inline Request Rput(const void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                    const Datatype& target_type, int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Rput";
  const detail::transfer all{const_cast<void*>(ptr), count,       type, displacement,
                             target_count,           target_type, rank, window};
  all.check(where);
  Request request;
  if (window.alone())
    detail::copy(where, window.self(), all.here(), all.there());
  else
    all.run(where, MPI_Rput, window, detail::handles<MPI_Request>(&request));
  return request;
}
inline void Rput(const void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                 const Datatype& target_type, int rank, const Win& window, Request& request) {
  request = Rput(ptr, count, type, displacement, target_count, target_type, rank, window);
}
inline Request Rget(void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                    const Datatype& target_type, int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Rget";
  const detail::transfer all{ptr, count, type, displacement, target_count, target_type, rank, window};
  all.check(where);
  Request request;
  if (window.alone())
    detail::copy(where, window.self(), all.there(), all.here());
  else
    all.run(where, MPI_Rget, window, detail::handles<MPI_Request>(&request));
  return request;
}
inline void Rget(void* ptr, int count, const Datatype& type, Aint displacement, int target_count,
                 const Datatype& target_type, int rank, const Win& window, Request& request) {
  request = Rget(ptr, count, type, displacement, target_count, target_type, rank, window);
}

}  // namespace MEL
