// Collectives in two steps: within nodes by the memory that they share, between nodes by messages, of which one rank a
// node, its speaker, takes part.
#pragma once

#include <cstdint>
#include <string_view>

#include "algorithm_carrier.hpp"
#include "invocation.hpp"
#include "shared.hpp"
#include "task.hpp"

namespace wherry::collective::hierarchical {

task run(invocation& call);

/// One call's two levels.
class levels {
 public:
  /// @param turns how many calls within the node follow: the same on all its ranks
  /// @param member who speaks for a node: its first rank, or its last
  enum class speaker : std::uint8_t { first, last };
  levels(invocation& call, std::uint64_t turns, speaker member = speaker::first);
  /// The root speaks for its node.
  void root_speaks();

  int node() const { return node_; }
  int nodes() const { return call_.on.nodes.nodes(); }
  int members() const { return call_.on.board->members(); }
  /// Of any node.
  int fewest_members() const { return call_.on.nodes.fewest_members; }
  int most_members() const { return call_.on.nodes.most_members; }
  /// Those of a node, ascending.
  std::span<const int> members_of(int node) const { return call_.on.nodes.members(node); }
  /// Whether this rank speaks for its node, and which member does.
  bool speaks() const { return speaking_member() == call_.on.board->me(); }
  int speaking_member() const;
  int node_of(int rank) const { return call_.on.nodes.node_of[static_cast<std::size_t>(rank)]; }

  /// A call within the node, whose root is the speaker, and one between speakers; without buffers.
  dense_call within(pattern what) const;
  dense_call between(pattern what) const;
  /// Each call within the node in its turn. `part` outlives the task.
  task by_memory(const dense_call& part) { return shared::run(*call_.on.board, next_turn_++, part); }
  task by_messages(std::string_view algorithm, const dense_call& part);

  scratch_pool& pool() const { return call_.on.pool; }
  scratch take(std::int64_t bytes) { return call_.on.pool.take(static_cast<std::size_t>(bytes)); }

 private:
  invocation& call_;
  std::uint64_t next_turn_;
  int node_;
  scratch_list<int> speakers_;  // ranks
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
/// Scan and exscan.
task scan(invocation& call);

}  // namespace wherry::collective::hierarchical
