// An exchange in which two ranks send to each other at the same time, to be timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/transport/calibration.hpp"
#include "wherry/transport/exchange.hpp"
#include "wherry/transport/transport.hpp"

namespace calibrating {

/// `count` rows of `length` bytes, which begin `pitch` bytes apart.
struct rows {
  std::int64_t count, length, pitch;
  bool apart = false;  ///< true: each row is a block of its own
};

/// An exchange between the two ranks of a communicator, from node-shared or ordinary memory. `elsewhere` is the number
/// of bytes that a program also writes between two exchanges.
class between_two {
 public:
  between_two(const wherry::communicator& comm, const rows& what, const std::string& transport, bool node_shared,
              std::size_t elsewhere = 0);

  void exchange() { bound_(); }
  /// Rewrites all data that is sent, as a program would between two exchanges.
  void rewrite();

 private:
  static wherry::plans::schedule plan_of(const wherry::communicator& comm, const rows& what,
                                         wherry::memory_space space);
  wherry::memory_space space() const { return own_.empty() ? shared_.space() : wherry::memory_space::host; }
  std::byte* memory() { return own_.empty() ? shared_.data() : own_.data(); }

  rows what_;
  std::vector<std::byte> elsewhere_, own_;
  wherry::node_memory shared_;
  wherry::exchange bound_;
  unsigned char written_ = 0;
};

}  // namespace calibrating
