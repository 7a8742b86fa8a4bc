/// @file
/// What has been moved.
#pragma once

#include <cstdint>

namespace wherry {

/// Counted since an exchange was bound, or over the streams of a communicator; `WHERRY_STATS` prints them.
struct exchange_statistics {
  std::uint64_t exchanges = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0, bytes_copied = 0;
  double seconds_waiting = 0;  ///< measured only with WHERRY_STATS or WHERRY_TRACE
  double seconds_copying = 0;  ///< of published layouts, and what a segment's `copy_out` copies; measured likewise

  /// Of both together.
  exchange_statistics& operator+=(const exchange_statistics& more) {
    exchanges += more.exchanges;
    bytes_sent += more.bytes_sent;
    bytes_received += more.bytes_received;
    bytes_copied += more.bytes_copied;
    seconds_waiting += more.seconds_waiting;
    seconds_copying += more.seconds_copying;
    return *this;
  }
};

}  // namespace wherry
