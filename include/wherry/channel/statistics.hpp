/// @file
/// The figures that exchanges, streams and segments report, and that `WHERRY_STATS` prints.
#pragma once

#include <cstdint>

namespace wherry {

/// The amounts that an object has moved on this rank since it was bound; for streams: all streams of one communicator.
struct exchange_statistics {
  std::uint64_t exchanges = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0, bytes_copied = 0;
  double seconds_waiting = 0;  ///< measured only with WHERRY_STATS or WHERRY_TRACE
  double seconds_copying = 0;  ///< by published layouts and a segment's `copy_out`; measured likewise

  /// Adds the figures of another object.
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
