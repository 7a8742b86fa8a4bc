/// @file
/// The common part of `alltoall_exchange` and `buffer_exchange`: a set of registered transfers that `commit` turns into
/// a bound exchange.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/halo/transfer.hpp"
#include "wherry/transport/exchange.hpp"

namespace wherry::detail {

/// Registered transfers and the exchange that carries them. Registrations are local; `commit` reports errors in them on
/// all ranks alike. Movable.
class transfer_set {
 public:
  /// Returns the name of a label in error texts, such as "direction (0,1,1)".
  using label_text = std::function<std::string(int label)>;

  transfer_set(const communicator& comm, std::string pattern, const carry_options& options, label_text names = {});

  void add_send(transfer what) { add(sends_, std::move(what)); }
  void add_receive(transfer what) { add(receives_, std::move(what)); }
  /// Replaces the transfer with the same peer and label, or adds one. If only the address differs, no new `commit` is
  /// needed.
  void put_send(transfer what) { put(sends_, std::move(what)); }
  void put_receive(transfer what) { put(receives_, std::move(what)); }
  /// Moves the transfer that was registered as number `which` for a peer to another address from the next start on.
  /// @throws error(argument) if there is none, if it is neither plain memory nor a section, or if the address is null
  void move_send(int peer, int which, const void* memory) {
    move(sends_, "to", peer, which, const_cast<void*>(memory));
  }
  void move_receive(int peer, int which, void* memory) { move(receives_, "from", peer, which, memory); }
  /// Keeps an objection to an argument until `commit` can report it. Only the first one is kept.
  void remember(std::string problem);
  void clear();

  /// Binds the exchange. Collective over the communicator. Both sides of each pair of ranks compare their
  /// registrations, transfer by transfer.
  /// @throws error(argument) or error(mismatch) on all ranks alike.
  void commit();
  /// True if a registration since the last `commit` needs another one.
  bool needs_commit() const { return changed_; }

  /// @throws error(state) if there was no `commit` after the last registration.
  void start();
  bool test() { return bound().test(); }
  void wait() { bound().wait(); }
  std::span<const int> wait_some() { return bound().wait_some(); }
  void abandon() noexcept;

  exchange& bound();
  const exchange& bound() const;
  const communicator& comm() const { return comm_; }

 private:
  void add(std::vector<transfer>& list, transfer what);
  void put(std::vector<transfer>& list, transfer what);
  void move(std::vector<transfer>& list, std::string_view way, int peer, int which, void* memory);
  void check(std::string_view problem) const;
  std::span<void* const> addresses();

  communicator comm_;
  std::string pattern_, problem_;
  carry_options options_;
  label_text names_;
  std::vector<transfer> sends_, receives_;
  std::vector<void*> addresses_;
  bool changed_ = true, moved_ = false;  // moved_: only addresses have changed
  std::optional<exchange> exchange_;
};

/// The base class of patterns with transfers that are registered one by one.
class registered_pattern {
 public:
  /// Binds the registered transfers. Collective over the communicator; call it after the last registration.
  /// @throws error(argument) on all ranks alike for a rank or direction that does not exist, a section outside its
  ///         array, null memory, or a const section that is received into; error(mismatch), naming both ranks and
  ///         figures, if the two sides of a transfer differ or one is missing.
  void commit() { set_.commit(); }
  /// True if a registration since the last `commit` needs another one.
  bool needs_commit() const { return set_.needs_commit(); }

  /// These calls are those of `bound_pattern`. @throws error(state) if there was no `commit` after the last
  /// registration.
  void start() { set_.start(); }
  bool test() { return set_.test(); }
  void wait() { set_.wait(); }
  /// Waits until all data of at least one more rank has arrived, and returns the ranks for which this is so; an empty
  /// list means that the exchange is complete. See `exchange::wait_some`.
  std::span<const int> wait_some() { return set_.wait_some(); }
  /// Gives up the exchange in flight; see `exchange::abandon`. A new `commit` makes the pattern usable again.
  void abandon() noexcept { set_.abandon(); }
  void operator()() {
    start();
    wait();
  }

  /// The bound exchange. This and the following functions throw error(state) if there was no `commit` after the last
  /// registration.
  exchange& bound() { return set_.bound(); }
  const exchange& bound() const { return set_.bound(); }
  const wherry::plans::schedule& schedule() const { return bound().schedule(); }
  std::string transport() const { return bound().transport(); }
  std::string explain() const { return bound().explain(); }
  exchange_statistics statistics() const { return bound().statistics(); }

 protected:
  explicit registered_pattern(detail::transfer_set set) : set_(std::move(set)) {}

  detail::transfer_set set_;
};

}  // namespace wherry::detail
