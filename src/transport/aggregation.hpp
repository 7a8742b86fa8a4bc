// Which messages travel together, and where each lies in what travels: those of a stage from ranks of one node to ranks
// of one other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Nodes are known by their first rank.
struct aggregate_key {
  std::int32_t stage = 0, from_node = 0, to_node = 0;
  auto operator<=>(const aggregate_key&) const = default;
};

/// What travels together. Both nodes have memory for it, in one rank's part of the segment each, which is two
/// turnstiles and two slots; either rank has a notification for it.
struct aggregate {
  std::uint64_t bytes = 0;                       // of a slot, in whole cache lines
  std::uint32_t parts = 0;                       // messages
  std::int32_t gatherer = 0, host = 0;           // of the node that sends, and of the other
  std::uint64_t gathered_at = 0, hosted_at = 0;  // in their parts of the segment
  std::int32_t credit = 0, arrival = 0;          // their notifications
};

struct aggregate_part {
  aggregate_key key;
  std::uint64_t at = 0;  // in a slot
};

struct aggregation {
  std::map<aggregate_key, aggregate> aggregates;             // those that this rank has a message in
  std::vector<std::vector<aggregate_part>> sends, receives;  // by stage and message
  std::size_t segment_bytes = 0;                             // of this rank's part
  int notifications = 0;                                     // most of any rank's
};

/// Collective. Cost and memory depend on the messages of a rank, and of those of its node for whom it arranges.
aggregation plan_aggregation(const bind_request& request);

/// The memory of an aggregate: turnstiles, then slots. A part is a message, and behind it the number of the start that
/// it was packed for, by which those who wait in vain find out whom to name.
std::size_t aggregate_slot(std::size_t at, const aggregate& a, std::uint64_t slot);

}  // namespace wherry
