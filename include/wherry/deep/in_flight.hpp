/// @file
/// Deep copies in flight: start now, test or wait later (what paper 3, section "Conclusion", leaves as future work).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "wherry/deep/communicate.hpp"
#include "wherry/transport/byte_channels.hpp"

namespace wherry::deep {

/// A structure on its way. Movable. Any number may be in flight, tested and waited for in any order. It progresses in
/// `test` and `wait`, and whenever this rank waits for anything of Wherry's.
///
/// What is sent is a snapshot: `start` packs it. What is received is built by the call of `test` or `wait` that
/// completes it; its root must stay where it is until then.
class in_flight {
 public:
  using delivery = std::function<void(byte_source&)>;

  in_flight() = default;
  /// @param deliver  builds what has arrived; null for what is sent
  in_flight(byte_flight flight, delivery deliver) : flight_(std::move(flight)), deliver_(std::move(deliver)) {}
  in_flight(in_flight&&) noexcept = default;
  /// What was in flight here is waited for.
  in_flight& operator=(in_flight&& other) noexcept;
  /// Waits, and delivers; unless an exception is under way, `wait` has given up already, or MPI has ended. Then it goes
  /// on by itself: what is sent still reaches its receiver, and what arrives is thrown away.
  ~in_flight();

  /// True once all has left, or arrived and been built. @throws what the blocking call would throw; error(state) where
  /// nothing was started, or what was has been moved elsewhere
  bool test();
  /// @throws also error(timeout) after WHERRY_TIMEOUT seconds; it stays in flight then
  void wait();
  /// Of what was received, the rank that sent.
  int source() const { return flight_.source(); }

  /// "two_sided" or "shared": what it goes by, or "" while nothing of what is to be received has come. This and what
  /// follows: @throws error(state) where nothing was started, or what was has been moved elsewhere
  std::string transport() const { return flight_.transport(); }
  /// From where to where, how much of it has moved, by what, and why so.
  std::string explain() const { return flight_.explain(); }
  /// Of this copy alone; `exchanges` is 1 once all has left or arrived.
  exchange_statistics statistics() const { return flight_.statistics(); }

 private:
  void deliver();

  byte_flight flight_;
  delivery deliver_;
};

/// Packs and sends; the structure may be changed or freed once this returns. Never waits. Goes together with `receive`
/// as well as with `start_receive`; also to oneself.
/// @throws error(argument) for a bad rank or tag, or a structure larger than `how.buffer_bytes`
template <class Map = pointer_map, class T>
in_flight start_send(const pair_communicator& comm, int to, T&& root, const options& how = {});

/// @param from  a rank, or MPI_ANY_SOURCE
/// @param root  as for `receive`; must live, in its place, until the copy is complete. So must the pointer and the
///   count of an `array(p, n)`.
template <class T> in_flight start_receive(const pair_communicator& comm, int from, T&& root, const options& how = {});

/// Collective: all ranks start their broadcasts in the same order, and may complete them in any.
template <class Map = pointer_map, class T>
in_flight start_broadcast(const communicator& comm, int root, T&& object, const options& how = {});

namespace detail {

/// A constant length is kept, a variable one is still to be written to.
template <class T, class Count> auto lasting(array_of<T, Count>& root) {
  using kept = std::conditional_t<std::is_lvalue_reference_v<Count>, Count, const std::remove_reference_t<Count>>;
  return array_of<T, kept>{root.pointer, root.count};
}

/// What builds `root` later: it keeps an `array(p, n)` itself, and of anything else the address.
template <class T> in_flight::delivery builder_of(T&& root, arena* to) {
  using plain = std::remove_cvref_t<T>;
  if constexpr (is_array_of<plain>) {
    return [root = lasting(root), to](byte_source& source) mutable { incoming_root(root).from_or_drain(source, to); };
  } else {
    static_assert(std::is_lvalue_reference_v<T>, "the root of what is received must outlive the call");
    return [into = incoming_root(root), to](byte_source& source) { into.from_or_drain(source, to); };
  }
}

in_flight start_send_root(const communicator& comm, int to, const outgoing& root, const options& how);
in_flight start_receive_root(const communicator& comm, int from, std::uint64_t fingerprint, const options& how,
                             in_flight::delivery build);
/// `build` is left alone where `root` is this rank, and `from` elsewhere.
in_flight start_broadcast_root(const communicator& comm, int root, const outgoing& from, const options& how,
                               in_flight::delivery build);

}  // namespace detail

}  // namespace wherry::deep

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_send(const pair_communicator& any, int to, T&& root, const options& how) {
  return detail::start_send_root(any.comm, to, detail::outgoing_root<Map>(root), how);
}

template <class T>
wherry::deep::in_flight wherry::deep::start_receive(const pair_communicator& any, int from, T&& root,
                                                    const options& how) {
  detail::must_be_empty(root);
  return detail::start_receive_root(any.comm, from, detail::fingerprint_once<std::remove_cvref_t<T>>(), how,
                                    detail::builder_of(std::forward<T>(root), how.arena));
}

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_broadcast(const communicator& comm, int root, T&& object,
                                                      const options& how) {
  const auto from = detail::outgoing_root<Map>(object);
  return detail::start_broadcast_root(comm, root, from, how, detail::builder_of(std::forward<T>(object), how.arena));
}
