/// @file
/// Send, Recv and Bcast of deep structures, and their buffered forms (MEL, listing 5).
///
/// `x` is an object, a pointer to one object, a std::vector or a std::list; a pointer to several objects has its length
/// beside it. On the receiving side a length that is a variable is set to the length that arrives; for a literal or
/// constant, another length is an error. A pointer is overwritten; an object or container is destroyed first. All calls
/// block until the structure has been transferred, and report errors by exceptions of type wherry::error. Buffered and
/// unbuffered ends may be mixed, for example BufferedSend with Recv. Bcast and BufferedBcast are collective over
/// `comm`; the other calls involve two ranks.
///
/// Template arguments, all optional: the type that the external function is for, the hash map, and the external
/// function: `Send<StructA, MEL::Deep::PointerHashMap, StructA_DeepCopy>(x, dst, tag, comm)`. For a container the
/// function is for its elements, or for the whole container, as in `Send<std::vector<StructA>, …>`.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "wherry/deep/communicate.hpp"

#include "mel/comm.hpp"
#include "mel/deep/root.hpp"

namespace MEL {

/// Makes Wherry's own communicator for `comm`, with which deep copies are fastest. Collective over `comm`.
inline void Prepare(const Comm& comm) { wherry::communicator{comm.handle()}; }

}  // namespace MEL

namespace MEL::Deep {
namespace detail {

inline wherry::deep::options streaming(int tag = 0) { return {.tag = tag}; }
/// A buffer as large as needed.
constexpr int as_needed = INT_MIN;
inline wherry::deep::options packed(int tag, int bytes = as_needed) {
  if (bytes == as_needed) return {.tag = tag, .buffered = true};
  if (bytes < 0) wherry::deep::refuse(wherry::detail::text("the buffer has ", bytes, " bytes, expected 0 or more"));
  // For Wherry 0 means no limit; one byte is as good as none.
  return {.tag = tag, .buffered = true, .buffer_bytes = static_cast<std::size_t>(std::max(bytes, 1))};
}

template <class HASH_MAP> auto sender(int dst, const Comm& comm, const wherry::deep::options& how) {
  return [dst, &comm, how](auto& root) { wherry::deep::send<map_of<HASH_MAP>>(comm.handle(), root, dst, how); };
}
inline auto receiver(int src, const Comm& comm, const wherry::deep::options& how) {
  return [src, &comm, how](auto& root) { wherry::deep::receive(comm.handle(), root, src, how); };
}
template <class HASH_MAP> auto broadcaster(int root_rank, const Comm& comm, const wherry::deep::options& how) {
  return [root_rank, &comm, how](auto& root) {
    wherry::deep::bcast<map_of<HASH_MAP>>(comm.handle(), root, root_rank, how);
  };
}

template <auto F, class X, class Run> void broadcast(X& x, int root, const Comm& comm, Run run) {
  if (CommRank(comm) == root)
    from_root<F>(x, run);
  else
    into_root<F>("MEL::Deep::Bcast", x, run);
}
template <auto F, class T, class Len, class Run>
void broadcast_array(T*& p, Len&& len, int root, const Comm& comm, Run run) {
  if (CommRank(comm) == root)
    from_array<F>(p, static_cast<std::int64_t>(len), run);
  else
    into_array<F>("MEL::Deep::Bcast", p, std::forward<Len>(len), run);
}

}  // namespace detail

// T is the type that `F` is for, X the type of the argument.

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void Send(X& x, const int dst, const int tag, const Comm& comm) {
  detail::from_root<F>(x, detail::sender<HASH_MAP>(dst, comm, detail::streaming(tag)));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void Send(X& x, const int dst, const int tag, const Comm& comm) {
  detail::from_root<F>(x, detail::sender<HASH_MAP>(dst, comm, detail::streaming(tag)));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void Send(X*& ptr, const int len, const int dst, const int tag, const Comm& comm) {
  detail::from_array<F>(ptr, len, detail::sender<HASH_MAP>(dst, comm, detail::streaming(tag)));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void Recv(X& x, const int src, const int tag, const Comm& comm) {
  detail::into_root<F>("MEL::Deep::Recv", x, detail::receiver(src, comm, detail::streaming(tag)));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void Recv(X& x, const int src, const int tag, const Comm& comm) {
  detail::into_root<F>("MEL::Deep::Recv", x, detail::receiver(src, comm, detail::streaming(tag)));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len>
void Recv(X*& ptr, Len&& len, const int src, const int tag, const Comm& comm) {
  detail::into_array<F>("MEL::Deep::Recv", ptr, std::forward<Len>(len),
                        detail::receiver(src, comm, detail::streaming(tag)));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void Bcast(X& x, const int root, const Comm& comm) {
  detail::broadcast<F>(x, root, comm, detail::broadcaster<HASH_MAP>(root, comm, detail::streaming()));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void Bcast(X& x, const int root, const Comm& comm) {
  detail::broadcast<F>(x, root, comm, detail::broadcaster<HASH_MAP>(root, comm, detail::streaming()));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len>
void Bcast(X*& ptr, Len&& len, const int root, const Comm& comm) {
  detail::broadcast_array<F>(ptr, std::forward<Len>(len), root, comm,
                             detail::broadcaster<HASH_MAP>(root, comm, detail::streaming()));
}

// Buffered forms: they use one buffer, as large as needed or of `bufferSize` bytes; a structure that needs more is an
// error. The size matters only on the side that sends.

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void BufferedSend(X& x, const int dst, const int tag, const Comm& comm, const int bufferSize = detail::as_needed) {
  detail::from_root<F>(x, detail::sender<HASH_MAP>(dst, comm, detail::packed(tag, bufferSize)));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void BufferedSend(X& x, const int dst, const int tag, const Comm& comm, const int bufferSize = detail::as_needed) {
  detail::from_root<F>(x, detail::sender<HASH_MAP>(dst, comm, detail::packed(tag, bufferSize)));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void BufferedSend(X*& ptr, const int len, const int dst, const int tag, const Comm& comm,
                  const int bufferSize = detail::as_needed) {
  detail::from_array<F>(ptr, len, detail::sender<HASH_MAP>(dst, comm, detail::packed(tag, bufferSize)));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void BufferedRecv(X& x, const int src, const int tag, const Comm& comm) {
  detail::into_root<F>("MEL::Deep::BufferedRecv", x, detail::receiver(src, comm, detail::packed(tag)));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void BufferedRecv(X& x, const int src, const int tag, const Comm& comm) {
  detail::into_root<F>("MEL::Deep::BufferedRecv", x, detail::receiver(src, comm, detail::packed(tag)));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len>
void BufferedRecv(X*& ptr, Len&& len, const int src, const int tag, const Comm& comm) {
  detail::into_array<F>("MEL::Deep::BufferedRecv", ptr, std::forward<Len>(len),
                        detail::receiver(src, comm, detail::packed(tag)));
}

template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
void BufferedBcast(X& x, const int root, const Comm& comm, const int bufferSize = detail::as_needed) {
  detail::broadcast<F>(x, root, comm, detail::broadcaster<HASH_MAP>(root, comm, detail::packed(0, bufferSize)));
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X>
void BufferedBcast(X& x, const int root, const Comm& comm, const int bufferSize = detail::as_needed) {
  detail::broadcast<F>(x, root, comm, detail::broadcaster<HASH_MAP>(root, comm, detail::packed(0, bufferSize)));
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X, detail::length Len>
void BufferedBcast(X*& ptr, Len&& len, const int root, const Comm& comm, const int bufferSize = detail::as_needed) {
  detail::broadcast_array<F>(ptr, std::forward<Len>(len), root, comm,
                             detail::broadcaster<HASH_MAP>(root, comm, detail::packed(0, bufferSize)));
}

}  // namespace MEL::Deep
