/// @file
/// Counts the data that one segment has moved, for WHERRY_STATS and WHERRY_TRACE.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace wherry::detail {

/// The counts of one rank. Several threads may add to them.
struct segment_counts {
  std::atomic<std::uint64_t> notified{0};
  std::atomic<std::int64_t> written{0}, read{0}, nanoseconds_waiting{0}, nanoseconds_copying{0};
  int traced = -1;  ///< number of the segment in the trace; -1: it is not traced

  void count_notification() { notified.fetch_add(1, std::memory_order_relaxed); }
  void count_written(std::size_t bytes) {
    written.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
  void count_read(std::size_t bytes) { read.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed); }
};

}  // namespace wherry::detail
