/// @file
/// Deep copies in flight: start now, test or wait later (what paper 3, section "Conclusion", leaves as future work).
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "wherry/deep/communicate.hpp"

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
  in_flight& operator=(in_flight&& other) noexcept {
    in_flight replaced(std::move(*this));
    flight_ = std::move(other.flight_);
    deliver_ = std::exchange(other.deliver_, nullptr);
    return *this;
  }
  /// Waits, and delivers; unless an exception is under way, `wait` has given up already, or MPI has ended. Then it goes
  /// on by itself: what is sent still reaches its receiver, and what arrives is thrown away.
  ~in_flight();

  /// True once all has left, or arrived and been built. @throws what the blocking call would throw; error(state) where
  /// nothing was started, or what was has been moved elsewhere
  bool test() {
    if (!flight_.test()) return false;
    deliver();
    return true;
  }
  /// @throws also error(timeout) after WHERRY_TIMEOUT seconds; it stays in flight then
  void wait() {
    flight_.wait();
    deliver();
  }
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
  void deliver() {
    if (const auto build = std::exchange(deliver_, nullptr)) build(*flight_.bytes());
  }

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
template <class T> auto builder_of(T&& root, const options& how) {
  using plain = std::remove_cvref_t<T>;
  if constexpr (is_array_of<plain>) {
    return [root = lasting(root), how](byte_source& source) mutable { unpack_or_drain(source, root, how); };
  } else {
    static_assert(std::is_lvalue_reference_v<T>, "the root of what is received must outlive the call");
    return [to = &root, how](byte_source& source) { unpack_or_drain(source, *to, how); };
  }
}

}  // namespace detail

}  // namespace wherry::deep

inline wherry::deep::in_flight::~in_flight() {
  if (!deliver_ || !flight_.is_worth_waiting_for()) return;
  try {
    wait();
  } catch (...) {  // a destructor has nobody to tell
  }
}

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_send(const pair_communicator& any, int to, T&& root, const options& how) {
  constexpr std::string_view where = "deep::start_send";
  const auto& comm = any.comm;
  const auto tag = stream_tag::of_user(comm, how.tag, where);
  check_rank(where, comm, to);
  statistics figures;
  return {detail::start_packed<Map>(where, comm, root, how, figures,
                                    [&](packed_stream&& packed) {
                                      return wherry::start_send(where, comm, to, tag, detail::fingerprint_once<T>(),
                                                                std::move(packed));
                                    }),
          nullptr};
}

template <class T>
wherry::deep::in_flight wherry::deep::start_receive(const pair_communicator& any, int from, T&& root,
                                                    const options& how) {
  constexpr std::string_view where = "deep::start_receive";
  const auto& comm = any.comm;
  const auto tag = stream_tag::of_user(comm, how.tag, where);
  detail::must_be_empty(root);
  return {wherry::start_receive(where, comm, from, tag, detail::fingerprint_once<T>()),
          detail::builder_of(std::forward<T>(root), how)};
}

template <class Map, class T>
wherry::deep::in_flight wherry::deep::start_broadcast(const communicator& comm, int root, T&& object,
                                                      const options& how) {
  constexpr std::string_view where = "deep::start_broadcast";
  const auto fingerprint = detail::fingerprint_once<T>();
  check_rank(where, comm, root);
  statistics figures;
  if (comm.rank() == root)
    return {detail::start_packed<Map>(where, comm, object, how, figures,
                                      [&](packed_stream&& packed) {
                                        return wherry::start_broadcast(where, comm, fingerprint, std::move(packed));
                                      }),
            nullptr};
  return {wherry::start_broadcast(where, comm, root, fingerprint), detail::builder_of(std::forward<T>(object), how)};
}
