// The places that a stage of an exchange has in this rank's segments: staging, and notifications that its peers write.
// The first notifications are the credits of the messages that it sends; the arrivals of those that it receives follow.
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

/// A notification in the form that the protocol of notified_channel.hpp polls. GASPI has no word to look at: a
/// notification is taken, and its last value is kept here.
struct last_value {
  std::uint32_t value = 0;
  std::uint32_t load(std::memory_order) const { return value; }
};

/// The words with which that protocol works here.
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

  /// Takes the notifications that have come.
  void take(const caller& who);

  /// True if every peer that this rank sends to has taken the data of `starts` starts. If all ranks find this, no rank
  /// writes here any more.
  bool is_settled(const caller& who, std::uint64_t starts);
  /// Gives the places back. Call it only after that.
  void give_back(runtime& to) noexcept;

 private:
  std::size_t sends_;
  std::vector<last_value> values_;
  piece mine_;
};

}  // namespace wherry::gpi2
