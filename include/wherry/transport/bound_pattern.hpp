/// @file
/// What everything that carries has in common: halo and index exchanges, movers, rooted patterns.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "wherry/transport/exchange.hpp"

namespace wherry {

/// A pattern bound once, to run any number of times. Movable.
class bound_pattern {
 public:
  /// Begins with the fields of the last start, at first those it was made with; does not block. Until `wait` returns,
  /// what leaves must not be written, nor what arrives be read.
  void start() { exchange_.start(); }
  /// Begins; but what leaves may be written until the parts that it is made of are `ready`. Which parts there are the
  /// pattern's options say: `halo_options::parts`, `index_options::parts`, `mover_options::in_parts`; of other
  /// schedules `exchange::divide`.
  /// @throws error(state) on this rank where there are none
  void start_in_parts() { exchange_.start_in_parts(); }
  /// This part is computed. Any thread may say so, each part once a start; see `exchange::ready`.
  void ready(int part) { exchange_.ready(part); }
  /// Makes progress; true when all has arrived.
  bool test() { return exchange_.test(); }
  /// Returns when all has arrived and all that leaves has been read.
  void wait() { exchange_.wait(); }
  /// Waits until all that comes from some more ranks has come, and says which; empty: the exchange is complete. See
  /// `exchange::wait_some`.
  std::span<const int> wait_some() { return exchange_.wait_some(); }
  /// Gives up what is in flight; see `exchange::abandon`.
  void abandon() noexcept { exchange_.abandon(); }
  void operator()() {
    start();
    wait();
  }

  /// The bound exchange below, for run-time tables of pointers.
  exchange& bound() { return exchange_; }
  const exchange& bound() const { return exchange_; }
  /// This rank's part.
  const wherry::schedule& schedule() const { return exchange_.schedule(); }
  std::string transport() const { return exchange_.transport(); }
  std::string explain() const { return exchange_.explain(); }
  exchange_statistics statistics() const { return exchange_.statistics(); }

 protected:
  explicit bound_pattern(exchange bound) : exchange_(std::move(bound)) {}

  exchange exchange_;
};

}  // namespace wherry
