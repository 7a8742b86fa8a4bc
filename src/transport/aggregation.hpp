// The plan of the transport `aggregated`: all messages of a stage from the ranks of one node to the ranks of another
// travel together as one aggregate. The plan says which messages those are, and where each lies in the aggregate.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Names an aggregate. A node is named by its first rank.
struct aggregate_key {
  std::int32_t stage = 0, from_node = 0, to_node = 0;
  auto operator<=>(const aggregate_key&) const = default;
};

/// Messages that travel together. On each of the two nodes one rank has memory for them in its part of the segment: two
/// turnstiles and two slots. Each of these two ranks also has a notification for the aggregate.
struct aggregate {
  std::uint64_t bytes = 0;                       // of a slot, a multiple of a cache line
  std::uint32_t parts = 0;                       // number of messages
  std::int32_t gatherer = 0, host = 0;           // ranks with memory: where it is sent, where it arrives
  std::uint64_t gathered_at = 0, hosted_at = 0;  // offsets in their parts of the segment
  std::int32_t credit = 0, arrival = 0;          // notifications of gatherer and host
};

struct aggregate_part {
  aggregate_key key;
  std::uint64_t at = 0;  // offset in a slot
};

struct aggregation {
  std::map<aggregate_key, aggregate> aggregates;             // those with a message of this rank
  std::vector<std::vector<aggregate_part>> sends, receives;  // by stage and message
  std::size_t segment_bytes = 0;                             // of this rank's part
  int notifications = 0;                                     // the largest number that any rank has
};

/// Collective. Cost and memory depend on the messages of this rank, and on those messages of its node that this rank
/// arranges.
aggregation plan_aggregation(const transports::bind_request& request);

/// The offset of a slot in the memory of an aggregate, which consists of the turnstiles and then the slots. A slot has
/// a part for each message: the message, and behind it the number of the start for which it was packed, by which a rank
/// that waits in vain finds out which senders to name.
std::size_t aggregate_slot(std::size_t at, const aggregate& a, std::uint64_t slot);

}  // namespace wherry
