/// @file
/// `Message`: one end of a deep copy over a transport of the user's choice (MEL, listings 6, 17, 19 and 20); and
/// BufferSize.
#pragma once

#include <list>
#include <utility>
#include <vector>

#include "wherry/deep/pack.hpp"

#include "mel/deep/between_ranks.hpp"
#include "mel/deep/in_files.hpp"
#include "mel/deep/root.hpp"
#include "mel/deep/transports.hpp"

namespace MEL::Deep {
namespace detail {

template <class HASH_MAP, class Method, class Root> void write_to(Method& transport, Root& root) {
  transport_sink<Method> sink(transport);
  wherry::deep::pack<map_of<HASH_MAP>>(sink, root);
}
template <class Method, class Root> void read_from(Method& transport, Root& root) {
  transport_source<Method> source(transport);
  wherry::deep::unpack(source, root);
}

// Over MEL's own transports between ranks and into files a Message does what listing 19 makes of it: Send, Recv, Bcast,
// FileWrite or FileRead.
template <class HASH_MAP, class Root> void write_to(TransportSend& to, Root& root) {
  sender<HASH_MAP>(to.dst(), to.comm(), streaming(to.tag()))(root);
}
template <class HASH_MAP, class Root> void write_to(TransportBcastRoot& to, Root& root) {
  broadcaster<HASH_MAP>(to.root(), to.comm(), streaming())(root);
}
template <class HASH_MAP, class Root> void write_to(TransportFileWrite& to, Root& root) {
  file_writer<HASH_MAP>(to.file(), false)(root);
}
template <class HASH_MAP, class Root> void write_to(TransportSTLFileWrite& to, Root& root) {
  file_writer<HASH_MAP>(to.file(), false)(root);
}
template <class Root> void read_from(TransportRecv& from, Root& root) {
  receiver(from.src(), from.comm(), streaming(from.tag()))(root);
}
template <class Root> void read_from(TransportBcast& from, Root& root) {
  broadcaster<PointerHashMap>(from.root(), from.comm(), streaming())(root);
}
template <class Root> void read_from(TransportFileRead& from, Root& root) { file_reader(from.file(), false)(root); }
template <class Root> void read_from(TransportSTLFileRead& from, Root& root) { file_reader(from.file(), false)(root); }

}  // namespace detail

/// One end of a deep copy. The constructor takes the arguments of the transport's constructor. Both ends make the same
/// packRoot calls in the same order. Each call is a copy of its own: an object that two of them share arrives twice.
/// Over MEL's own transports between ranks and into files the other end may call Send, Recv, Bcast, FileWrite or
/// FileRead, or their buffered forms. Any other transport carries windows of bytes in Wherry's format, so that the
/// other end must be a Message.
template <class TRANSPORT, class HASH_MAP> class Message {
  static_assert(TransportMethod<TRANSPORT>,
                "MEL: a transport has `static constexpr bool SOURCE` and `template <class T> void transport(T*& ptr, "
                "const int len)`");

 public:
  template <class T> using external = detail::external<detail::subject_of<T>, HASH_MAP>;

  template <class... Args> explicit Message(Args&&... args) : transport_(std::forward<Args>(args)...) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  template <class T, external<T> F = nullptr> void packRootVar(T& obj) { pack_root<F>(obj); }
  /// A container with an external function for the whole container.
  template <detail::is_sequence T, detail::external<T, HASH_MAP> F> void packRootVar(T& obj) { pack_root<F>(obj); }
  /// A pointer to `len` objects; another number that arrives is an error.
  template <class T, external<T> F = nullptr> void packRootPtr(T*& ptr, int len = 1) {
    if constexpr (TRANSPORT::SOURCE)
      detail::from_array<F>(ptr, len, [this](auto& root) { detail::write_to<HASH_MAP>(transport_, root); });
    else if (len == 1)
      pack_root<F>(ptr);  // one object or null
    else
      detail::into_array<F>("MEL::Deep::Message", ptr, std::as_const(len),
                            [this](auto& root) { detail::read_from(transport_, root); });
  }
  template <class T, external<T> F = nullptr> void packRootSTL(std::vector<T>& vec) { pack_root<F>(vec); }
  template <class T, external<T> F = nullptr> void packRootSTL(std::list<T>& lst) { pack_root<F>(lst); }

  /// The bytes so far, for transports that count them.
  int getOffset() const
    requires requires(const TRANSPORT& t) { t.getOffset(); }
  {
    return transport_.getOffset();
  }

 private:
  template <auto F, class X> void pack_root(X& x) {
    if constexpr (TRANSPORT::SOURCE)
      detail::from_root<F>(x, [this](auto& root) { detail::write_to<HASH_MAP>(transport_, root); });
    else
      detail::into_root<F>("MEL::Deep::Message", x, [this](auto& root) { detail::read_from(transport_, root); });
  }

  TRANSPORT transport_;
};

/// The number of bytes of a buffer into which the structure is packed: an argument of the Buffered calls and of
/// TransportBufferWrite. Local.
/// @throws wherry::error for 2 GiB and more
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
int BufferSize(X& x) {
  NoTransport counter;
  detail::from_root<F>(x, [&](auto& root) { detail::write_to<HASH_MAP>(counter, root); });
  return counter.getOffset();
}
template <detail::is_sequence T, class HASH_MAP, detail::external<T, HASH_MAP> F, class X> int BufferSize(X& x) {
  NoTransport counter;
  detail::from_root<F>(x, [&](auto& root) { detail::write_to<HASH_MAP>(counter, root); });
  return counter.getOffset();
}
template <class T = detail::unspecified, class HASH_MAP = PointerHashMap,
          detail::external<detail::subject_of<T>, HASH_MAP> F = nullptr, class X>
int BufferSize(X*& ptr, const int len) {
  NoTransport counter;
  detail::from_array<F>(ptr, len, [&](auto& root) { detail::write_to<HASH_MAP>(counter, root); });
  return counter.getOffset();
}

}  // namespace MEL::Deep
