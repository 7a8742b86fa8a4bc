// What a stage of an exchange has of this rank's segments: staging, and notifications that its peers write, the credits
// of what is sent first, then the arrivals of what is received.
#pragma once

#include <GASPI.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "posting_queue.hpp"
#include "runtime.hpp"
#include "segment_heap.hpp"

namespace wherry::gpi2 {

/// A notification as the protocol of notified_channel.hpp polls it: GASPI has no word to look at, so that it is taken,
/// and its last value kept here.
struct last_value {
  std::uint32_t value = 0;
  std::uint32_t load(std::memory_order) const { return value; }
};

/// The policy of words for that protocol.
struct taken_words {
  template <class T> using atomic = last_value;
};

class stage_places {
 public:
  stage_places(const caller& who, std::size_t bytes, std::size_t sends, std::size_t receives);
  stage_places(const stage_places&) = delete;
  stage_places& operator=(const stage_places&) = delete;

  const piece& mine() const { return mine_; }
  const last_value& credit(std::size_t send) const { return values_[send]; }
  const last_value& arrival(std::size_t receive) const { return values_[sends_ + receive]; }
  gaspi_notification_id_t credit_id(std::size_t send) const {
    return static_cast<gaspi_notification_id_t>(mine_.first + send);
  }
  gaspi_notification_id_t arrival_id(std::size_t receive) const { return credit_id(sends_ + receive); }

  /// Takes what has come.
  void take(const caller& who);

  /// Whether nobody writes here any more who has started as often as this rank has.
  bool is_settled(const caller& who, std::uint64_t starts);
  /// Then.
  void give_back(runtime& to) noexcept;

 private:
  std::size_t sends_;
  std::vector<last_value> values_;
  piece mine_;
};

}  // namespace wherry::gpi2
