// How long a call of GASPI's may take.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

#include "wherry/channel/byte_segment.hpp"

#include "GASPI_types.h"

namespace wherry::gaspi {

/// Of one call, from its beginning on, whatever it waits for.
class time_limit {
 public:
  explicit time_limit(gaspi_timeout_t milliseconds) : milliseconds_(milliseconds) {
    if (is_some()) began_ = clock::now();
  }

  bool is_endless() const { return milliseconds_ == GASPI_BLOCK; }
  /// `no_limit` where it is endless.
  double seconds_left() const {
    if (is_endless()) return no_limit;
    if (!is_some()) return 0;
    const std::chrono::duration<double> spent = clock::now() - began_;
    return std::max(0.0, static_cast<double>(milliseconds_) * 1e-3 - spent.count());
  }
  /// False: another thread has the lock for longer.
  bool take(std::unique_lock<std::timed_mutex>& lock) const {
    if (lock.try_lock()) return true;
    constexpr double years = 1e9;  // what a clock can count
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
