// MPI_Isend that returns late: the receiver already acts on a message while its sender still stands behind the call.
// What a rank announces before it has made it ready is found so.
#pragma once

namespace wherry_test {

/// While one of these lives, each MPI_Isend of this process returns so many microseconds after the message has left.
/// The test's binary has tests/support/slow_sends.cpp among its sources.
class slow_sends {
 public:
  explicit slow_sends(int microseconds);
  ~slow_sends();
  slow_sends(const slow_sends&) = delete;
  slow_sends& operator=(const slow_sends&) = delete;
};

}  // namespace wherry_test
