// Who has sent all of its data for an exchange, told while the rest is still on its way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor.hpp"

namespace wherry {

class arrivals {
 public:
  explicit arrivals(const exchange_binding& of);

  /// Before looking for more. A new start begins from nothing.
  void begin();
  /// Finds what has arrived since.
  /// @param over all has
  void find(const executor& by, bool over);
  /// The ranks of whom all has arrived since `begin`.
  std::span<const int> ranks() const { return arrived_; }

 private:
  struct sender {
    int rank, messages, missing;
  };
  void begin_stage(std::size_t stage);
  void hear(std::size_t lane, std::size_t message, int rank);

  const exchange_binding& of_;
  std::vector<sender> senders_;                   // to this rank, ascending
  std::vector<std::vector<std::uint8_t>> heard_;  // by lane and message of the stage: what was counted already
  std::uint64_t start_ = 0;
  std::size_t stage_ = 0;
  std::vector<int> arrived_;
};

}  // namespace wherry
