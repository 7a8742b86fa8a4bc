// The time limit of a GASPI procedure.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

#include "wherry/channel/byte_segment.hpp"

#include "GASPI_types.h"

namespace wherry::gaspi {

/// The time limit of one call. It counts from the beginning of the call, whatever the call waits for.
class time_limit {
 public:
  explicit time_limit(gaspi_timeout_t milliseconds) : milliseconds_(milliseconds) {
    if (is_some()) began_ = clock::now();
  }

  bool is_endless() const { return milliseconds_ == GASPI_BLOCK; }
  /// The time left in seconds; `no_limit` without a limit.
  double seconds_left() const {
    if (is_endless()) return no_limit;
    if (!is_some()) return 0;
    const std::chrono::duration<double> spent = clock::now() - began_;
    return std::max(0.0, static_cast<double>(milliseconds_) * 1e-3 - spent.count());
  }
  /// Takes a lock; false if another thread keeps it beyond the limit.
  bool take(std::unique_lock<std::timed_mutex>& lock) const {
    if (lock.try_lock()) return true;
    constexpr double years = 1e9;  // a duration that a clock can represent
    if (!is_endless()) return lock.try_lock_for(std::chrono::duration<double>(std::min(seconds_left(), years)));
    lock.lock();
    return true;
  }

 private:
  using clock = std::chrono::steady_clock;
  bool is_some() const { return !is_endless() && milliseconds_ != GASPI_TEST; }

  gaspi_timeout_t milliseconds_;
  clock::time_point began_{};
};

}  // namespace wherry::gaspi
