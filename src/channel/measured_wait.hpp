// A wait of a segment, as WHERRY_STATS and WHERRY_TRACE see it.
#pragma once

#include <chrono>
#include <cstdint>

#include "wherry/channel/segment_counts.hpp"

#include "core/trace.hpp"

namespace wherry {

class measured_wait {
 public:
  /// @param counts null: nothing is measured, and no clock read
  measured_wait(segment_counts* counts, const char* what, std::uint64_t number)
      : span_(counts != nullptr ? counts->traced : -1, what, number), counts_(counts) {
    if (counts_ != nullptr) began_ = clock::now();
  }
  measured_wait(const measured_wait&) = delete;
  measured_wait& operator=(const measured_wait&) = delete;
  ~measured_wait() {
    if (counts_ == nullptr) return;
    const auto waited = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began_);
    counts_->nanoseconds_waiting.fetch_add(waited.count(), std::memory_order_relaxed);
  }

 private:
  using clock = std::chrono::steady_clock;
  trace_span span_;
  segment_counts* counts_;
  clock::time_point began_;
};

}  // namespace wherry
