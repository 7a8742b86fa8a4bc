// Which ranks have sent all of their data for an exchange, told while other data is still on its way. This is the work
// of `exchange::wait_some`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor.hpp"

namespace wherry {

class complete_senders {
 public:
  explicit complete_senders(const exchange_binding& of);

  /// Empties `ranks()`; called before each wait. If the exchange was started again since the last call, all counts
  /// begin anew.
  void begin();
  /// Notes which messages have arrived since the last call, and which senders are now complete.
  /// @param over true: everything has arrived
  void find(const executor& by, bool over);
  /// The ranks from which everything has arrived, and whose last message came since `begin`.
  std::span<const int> ranks() const { return arrived_; }

 private:
  struct sender {
    int rank, messages, missing;
  };
  void begin_stage(std::size_t stage);
  void hear(std::size_t lane, std::size_t message, int rank);

  const exchange_binding& of_;
  std::vector<sender> senders_;                   // of messages to this rank, ascending
  std::vector<std::vector<std::uint8_t>> heard_;  // by lane and message of the stage: 1 if counted already
  std::uint64_t start_ = 0;
  std::size_t stage_ = 0;
  std::vector<int> arrived_;
};

}  // namespace wherry
