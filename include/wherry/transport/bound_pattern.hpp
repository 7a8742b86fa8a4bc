/// @file
/// The functions that all bound patterns share: halo and index exchanges, movers, rooted patterns. Users call them on
/// an object of one of those classes.
///
///     exchange.start();
///     compute_interior();  // reads no halo
///     exchange.wait();
///     compute_rim();
#pragma once

#include <span>
#include <string>
#include <utility>

#include "wherry/transport/exchange.hpp"

namespace wherry {

/// A pattern that was bound once and can run any number of times. Movable. All functions are local; each rank must call
/// `start` as often as its peers.
class bound_pattern {
 public:
  /// Begins the exchange in the memory of the last start, or of the constructor's fields in the first start. The
  /// pattern keeps addresses, so if you swap, move or reallocate an array, pass it: `start(u)`. Does not block. Until
  /// the exchange is complete, data that is sent must not be written, and data that is received must not be read.
  /// @throws as `exchange::start`
  void start() { exchange_.start(); }
  /// Begins the exchange, but each part of the data that is sent may be written until it is `ready`. The options of a
  /// pattern define its parts: `halo_options::parts`, `index_options::parts`, `mover_options::in_parts`. For other
  /// schedules, `exchange::divide` does.
  /// @throws error(state) on this rank if there are no parts
  void start_in_parts() { exchange_.start_in_parts(); }
  /// Says that a part has been computed. Any thread may call it, once for each part and start; see `exchange::ready`.
  void ready(int part) { exchange_.ready(part); }
  /// Makes progress. Returns true when the exchange is complete.
  bool test() { return exchange_.test(); }
  /// Returns when all data has arrived, and all data that is sent may be written again. @throws as `exchange::wait`
  void wait() { exchange_.wait(); }
  /// Waits until all data from some more ranks has arrived, and returns these ranks; an empty list means that the
  /// exchange is complete. See `exchange::wait_some`.
  std::span<const int> wait_some() { return exchange_.wait_some(); }
  /// Gives up the exchange in flight; see `exchange::abandon`.
  void abandon() noexcept { exchange_.abandon(); }
  /// Calls `start` and `wait`.
  void operator()() {
    start();
    wait();
  }

  /// The exchange behind the pattern, for field pointers that are chosen at run time.
  exchange& bound() { return exchange_; }
  const exchange& bound() const { return exchange_; }
  /// This rank's part of the plan.
  const wherry::plans::schedule& schedule() const { return exchange_.schedule(); }
  std::string transport() const { return exchange_.transport(); }
  std::string explain() const { return exchange_.explain(); }
  exchange_statistics statistics() const { return exchange_.statistics(); }

 protected:
  explicit bound_pattern(exchange bound) : exchange_(std::move(bound)) {}

  exchange exchange_;
};

}  // namespace wherry
