// What two ranks send each other at once, as an exchange that can be timed.
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

/// Rows of so many bytes, so far apart.
struct rows {
  std::int64_t count, length, pitch;
  bool apart = false;  ///< each is a block of its own
};

/// Between the two ranks of a communicator, from memory of this kind. Between two exchanges a program writes so many
/// bytes elsewhere, too.
class between_two {
 public:
  between_two(const wherry::communicator& comm, const rows& what, const std::string& transport, bool node_shared,
              std::size_t elsewhere = 0);

  void exchange() { bound_(); }
  /// All that is sent, as a program would between two exchanges.
  void rewrite();

 private:
  static wherry::schedule plan_of(const wherry::communicator& comm, const rows& what, wherry::memory_space space);
  wherry::memory_space space() const { return own_.empty() ? shared_.space() : wherry::memory_space::host; }
  std::byte* memory() { return own_.empty() ? shared_.data() : own_.data(); }

  rows what_;
  std::vector<std::byte> elsewhere_, own_;
  wherry::node_memory shared_;
  wherry::exchange bound_;
  unsigned char written_ = 0;
};

}  // namespace calibrating
