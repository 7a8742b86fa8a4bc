// Collectives on two levels: within nodes through shared memory, between nodes by messages between one rank of each
// node, its speaker.
#pragma once

#include <cstdint>
#include <string_view>

#include "algorithm_carrier.hpp"
#include "invocation.hpp"
#include "shared.hpp"
#include "task.hpp"

namespace wherry::collective::hierarchical {

task run(invocation& call);

/// The two levels of one call.
class levels {
 public:
  /// The speaker of a node: its first rank, or its last.
  enum class speaker : std::uint8_t { first, last };
  /// @param turns the number of calls within the node that follow: the same on all its ranks
  levels(invocation& call, std::uint64_t turns, speaker member = speaker::first);
  /// Makes the root the speaker of its node.
  void root_speaks();

  int node() const { return node_; }
  int nodes() const { return call_.on.nodes.nodes(); }
  int members() const { return call_.on.board->members(); }
  /// The fewest ranks on a node.
  int fewest_members() const { return call_.on.nodes.fewest_members; }
  int most_members() const { return call_.on.nodes.most_members; }
  /// The ranks of a node, ascending.
  std::span<const int> members_of(int node) const { return call_.on.nodes.members(node); }
  /// True if this rank is the speaker of its node.
  bool speaks() const { return speaking_member() == call_.on.board->me(); }
  int speaking_member() const;
  int node_of(int rank) const { return call_.on.nodes.node_of[static_cast<std::size_t>(rank)]; }

  /// A call within the node, with the speaker as root, and one between speakers; both without buffers.
  dense_call within(pattern what) const;
  dense_call between(pattern what) const;
  /// Runs a call within the node, in its turn. `part` outlives the task.
  task by_memory(const dense_call& part) { return shared::run(*call_.on.board, next_turn_++, part); }
  task by_messages(std::string_view algorithm, const dense_call& part);

  scratch_pool& pool() const { return call_.on.pool; }
  scratch take(std::int64_t bytes) { return call_.on.pool.take(static_cast<std::size_t>(bytes)); }

 private:
  invocation& call_;
  std::uint64_t next_turn_;
  int node_;
  scratch_list<int> speakers_;  // the speakers' ranks
};

// hierarchical_movement.cpp
task bcast(invocation& call);
task gather(invocation& call);
task scatter(invocation& call);
task allgather(invocation& call);
task alltoall(invocation& call);

// hierarchical_reduction.cpp
task reduce(invocation& call);
task allreduce(invocation& call);
task reduce_scatter(invocation& call);
/// Does scan and exscan.
task scan(invocation& call);

}  // namespace wherry::collective::hierarchical
