// Measures a wait, and the copies in it, for WHERRY_STATS and WHERRY_TRACE.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "wherry/channel/segment_counts.hpp"

#include "core/trace.hpp"

namespace wherry {

/// The time of a wait does not include that of its copies.
class measured_wait {
 public:
  /// @param counts null: nothing is measured, and no clock is read
  measured_wait(detail::segment_counts* counts, const char* what, std::uint64_t number)
      : span_(counts != nullptr ? counts->traced : -1, what, number), counts_(counts) {
    if (counts_ == nullptr) return;
    began_ = clock::now();
    copied_ = counts_->nanoseconds_copying.load(std::memory_order_relaxed);
  }
  measured_wait(const measured_wait&) = delete;
  measured_wait& operator=(const measured_wait&) = delete;
  ~measured_wait() {
    if (counts_ == nullptr) return;
    const auto waited = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began_);
    const auto copied = counts_->nanoseconds_copying.load(std::memory_order_relaxed) - copied_;
    counts_->nanoseconds_waiting.fetch_add(std::max<std::int64_t>(waited.count() - copied, 0),
                                           std::memory_order_relaxed);
  }

 private:
  using clock = std::chrono::steady_clock;
  trace_span span_;
  detail::segment_counts* counts_;
  clock::time_point began_;
  std::int64_t copied_ = 0;
};

class measured_copy {
 public:
  explicit measured_copy(detail::segment_counts* counts) : counts_(counts) {
    if (counts_ != nullptr) began_ = clock::now();
  }
  measured_copy(const measured_copy&) = delete;
  measured_copy& operator=(const measured_copy&) = delete;
  ~measured_copy() {
    if (counts_ == nullptr) return;
    const auto copied = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began_);
    counts_->nanoseconds_copying.fetch_add(copied.count(), std::memory_order_relaxed);
  }

 private:
  using clock = std::chrono::steady_clock;
  detail::segment_counts* counts_;
  clock::time_point began_;
};

}  // namespace wherry
