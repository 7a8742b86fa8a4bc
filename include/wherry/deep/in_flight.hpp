/// @file
/// Deep copies in flight: start now, test or wait later (MEL, section "Conclusion", leaves this as future work).
///
///     auto leaving = wherry::deep::start_send(comm, ours, to);  // ours may change from here on
///     auto arriving = wherry::deep::start_receive(comm, theirs, from);
///     while (!arriving.test()) compute();
///     leaving.wait();
///
/// The blocking calls of `communicate.hpp` stream a structure and need less memory: take them if there is nothing to
/// compute meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "wherry/deep/communicate.hpp"
#include "wherry/transport/byte_channels.hpp"

namespace wherry::deep {

/// A structure on its way. Movable. Any number may be in flight, and may be tested and waited for in any order. It
/// progresses in `test` and `wait`, and whenever this rank waits in any other call of Wherry.
///
/// A send takes a snapshot: `start_send` packs the structure. A receive builds its structure in the call of `test` or
/// `wait` that completes it; the root must stay where it is until then.
class in_flight {
 public:
  using delivery = std::function<void(byte_source&)>;

  in_flight() = default;
  /// @param deliver builds the structure from the bytes that have arrived; null for a send
  in_flight(wherry::detail::byte_flight flight, delivery deliver)
      : flight_(std::move(flight)), deliver_(std::move(deliver)) {}
  in_flight(in_flight&&) noexcept = default;
  /// Waits first for the copy that was in flight here.
  in_flight& operator=(in_flight&& other) noexcept;
  /// Waits and delivers, unless an exception is under way, `wait` has given up already, or MPI has ended. In these
  /// cases the copy goes on by itself: a structure that is sent still reaches its receiver, and one that arrives is
  /// thrown away.
  ~in_flight();

  /// True if all bytes have left, or if the structure has arrived and has been built. Local.
  /// @throws the errors of the blocking call; error(state) if nothing was started, or if the flight has been moved from
  bool test();
  /// Waits until the copy is complete.
  /// @throws as `test`, and error(timeout) after WHERRY_TIMEOUT seconds; the copy then stays in flight, and `wait` may
  ///   be called again
  void wait();
  /// The rank that sent the structure, for a receive that is complete.
  int source() const { return flight_.source(); }

  /// The transport: "two_sided" or "shared"; "" for a receive that has got no bytes yet.
  /// @throws error(state) if nothing was started, or if the flight has been moved from; so do `explain` and
  ///   `statistics`
  std::string transport() const { return flight_.transport(); }
  /// A text that names both ends, the bytes moved, the transport, and the reason for this transport.
  std::string explain() const { return flight_.explain(); }
  /// The figures of this copy alone; `exchanges` is 1 once all bytes have left or arrived.
  exchange_statistics statistics() const { return flight_.statistics(); }

 private:
  void deliver();

  wherry::detail::byte_flight flight_;
  delivery deliver_;
};

/// Packs a structure and starts to send it to rank `to`. Local; never waits. The structure may be changed or freed once
/// this returns. The receiver may call `receive` or `start_receive`. A rank may send to itself.
/// @throws error(argument) for a bad rank or tag, or a structure larger than `how.buffer_bytes`
template <class Map = pointer_map, class T>
in_flight start_send(const pair_communicator& comm, T&& root, int to, const deep::options& options = {});

/// Starts to receive a structure. Local.
/// @param from a rank of `comm`, or MPI_ANY_SOURCE
/// @param root as for `receive`; it must live, in its place, until the copy is complete. So must the pointer and the
///   count of an `array(p, n)`
/// @throws error(argument) for a bad tag or rank, or a pointer that is not null
template <class T>
in_flight start_receive(const pair_communicator& comm, T&& root, int from, const deep::options& options = {});

/// Starts a broadcast of the structure of rank `root`. Collective over `comm`: all ranks start their broadcasts in the
/// same order, and may complete them in any order. Some ranks may call `bcast` while others call this.
/// @throws error(argument) for a bad rank, or a structure larger than `how.buffer_bytes`
template <class Map = pointer_map, class T>
in_flight start_bcast(const communicator& comm, T&& object, int root, const deep::options& options = {});

namespace detail {

/// Returns an array_of that outlives the call: a constant length is copied, a variable length stays a reference.
template <class T, class Count> auto lasting(array_of<T, Count>& root) {
  using kept = std::conditional_t<std::is_lvalue_reference_v<Count>, Count, const std::remove_reference_t<Count>>;
  return array_of<T, kept>{root.pointer, root.count};
}

/// Returns the function that builds `root` later. It keeps a copy of an `array(p, n)`, and the address of any other
/// root.
template <class T> in_flight::delivery builder_of(T&& root, arena* to) {
  using plain = std::remove_cvref_t<T>;
  if constexpr (is_array_of<plain>) {
    return [root = lasting(root), to](byte_source& source) mutable { incoming_root(root).from_or_drain(source, to); };
  } else {
    static_assert(std::is_lvalue_reference_v<T>, "the root of what is received must outlive the call");
    return [into = incoming_root(root), to](byte_source& source) { into.from_or_drain(source, to); };
  }
}

in_flight start_send_root(const communicator& comm, int to, const outgoing& root, const deep::options& options);
in_flight start_receive_root(const communicator& comm, int from, std::uint64_t fingerprint,
                             const deep::options& options, in_flight::delivery build);
/// Rank `root` uses `from`, every other rank uses `build`.
in_flight start_bcast_root(const communicator& comm, int root, const outgoing& from, const deep::options& options,
                           in_flight::delivery build);

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_send(const pair_communicator& any, T&& root, int to,
                                                 const deep::options& options) {
  return detail::start_send_root(any.comm, to, detail::outgoing_root<Map>(root), options);
}

template <class T>
wherry::deep::in_flight wherry::deep::start_receive(const pair_communicator& any, T&& root, int from,
                                                    const deep::options& options) {
  detail::must_be_empty(root);
  return detail::start_receive_root(any.comm, from, detail::fingerprint_once<std::remove_cvref_t<T>>(), options,
                                    detail::builder_of(std::forward<T>(root), options.arena));
}

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_bcast(const communicator& comm, T&& object, int root,
                                                  const deep::options& options) {
  const auto from = detail::outgoing_root<Map>(object);
  return detail::start_bcast_root(comm, root, from, options,
                                  detail::builder_of(std::forward<T>(object), options.arena));
}
