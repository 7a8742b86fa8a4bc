/// @file
/// What `all_to_all` and `buffer_exchange` have in common: a set of transfers that becomes a bound exchange.
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

namespace wherry {
namespace detail {

/// Registered transfers and the exchange that carries them. Movable. Registrations are local; errors in them are found
/// by `setup`, on all ranks alike.
class transfer_set {
 public:
  /// How error texts name a label: "direction (0,1,1)".
  using label_text = std::function<std::string(int label)>;

  transfer_set(const communicator& comm, std::string pattern, const carry_options& options, label_text names = {});

  void add_send(transfer what) { add(sends_, std::move(what)); }
  void add_receive(transfer what) { add(receives_, std::move(what)); }
  /// In place of the transfer with the same peer and label. Where only the address differs nothing needs to be bound
  /// anew.
  void put_send(transfer what) { put(sends_, std::move(what)); }
  void put_receive(transfer what) { put(receives_, std::move(what)); }
  /// The transfer that was registered as number `which` for that peer is at another address from the next start on.
  /// @throws error(argument) where there is none, it is not plain memory or a section, or the address is null
  void move_send(int peer, int which, const void* memory) {
    move(sends_, "to", peer, which, const_cast<void*>(memory));
  }
  void move_receive(int peer, int which, void* memory) { move(receives_, "from", peer, which, memory); }
  /// Remembers what is wrong with an argument until `setup`; the first one counts.
  void remember(std::string problem);
  void clear();

  /// Collective. Both sides of each pair of ranks compare what they have registered, transfer by transfer.
  /// @throws error(argument) or error(mismatch) on all ranks alike.
  void setup();
  /// True when something has been registered since the last `setup` that needs another one.
  bool needs_setup() const { return changed_; }

  /// @throws error(state) without a `setup` after the last registration.
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
  bool changed_ = true, moved_ = false;  // moved: only addresses differ
  std::optional<exchange> exchange_;
};

}  // namespace detail

/// What patterns whose transfers are registered one by one have in common.
class registered_pattern {
 public:
  /// Collective; after the last registration, once.
  /// @throws error on all ranks alike: argument (no such rank or direction, a section outside its array, null memory),
  ///         mismatch (naming both ranks and figures) where the two sides differ or one of them is missing.
  void setup() { set_.setup(); }
  /// True when something has been registered since the last `setup` that needs another one.
  bool needs_setup() const { return set_.needs_setup(); }

  void start() { set_.start(); }
  bool test() { return set_.test(); }
  void wait() { set_.wait(); }
  /// Waits until all that comes from some more ranks has come, and says which; empty: the exchange is complete. See
  /// `exchange::wait_some`.
  std::span<const int> wait_some() { return set_.wait_some(); }
  /// Gives up what is in flight; see `exchange::abandon`. A new `setup` makes it usable again.
  void abandon() noexcept { set_.abandon(); }
  void operator()() {
    start();
    wait();
  }

  /// What is bound, and how it is carried. @throws error(state) without a `setup` after the last registration.
  exchange& bound() { return set_.bound(); }
  const exchange& bound() const { return set_.bound(); }
  const wherry::schedule& schedule() const { return bound().schedule(); }
  std::string transport() const { return bound().transport(); }
  std::string explain() const { return bound().explain(); }
  exchange_statistics statistics() const { return bound().statistics(); }

 protected:
  explicit registered_pattern(detail::transfer_set set) : set_(std::move(set)) {}

  detail::transfer_set set_;
};

}  // namespace wherry
