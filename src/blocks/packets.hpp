// Packets: which stage of a schedule the parts of a message go to. Pure; no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Both sides see the same parts of a message in the same order, and so cut it alike.
class packets {
 public:
  /// @param limit bytes; 0: no limit
  explicit packets(std::int64_t limit) : limit_(limit) {}

  /// The stage of the next part, which `plan` then has. All parts for one peer and direction follow each other.
  stage& next(schedule& plan, bool send, int peer, std::int64_t bytes) {
    if (send != send_ || peer != peer_) number_ = 0, filled_ = 0;
    send_ = send;
    peer_ = peer;
    if (limit_ > 0 && filled_ > 0 && filled_ + bytes > limit_) ++number_, filled_ = 0;
    filled_ += bytes;
    if (number_ == plan.stages.size()) plan.stages.emplace_back();
    return plan.stages[number_];
  }

 private:
  std::int64_t limit_, filled_ = 0;
  bool send_ = false;
  int peer_ = -1;
  std::size_t number_ = 0;
};

/// The message of `peer`, which is the last of the list or a new one.
inline message& message_to(std::vector<message>& list, int peer, int operation) {
  if (list.empty() || list.back().peer != peer) list.push_back({peer, operation, {}});
  return list.back();
}

}  // namespace wherry
