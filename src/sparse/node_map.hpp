// The nodes of a communicator's ranks, and the ranks that carry elements between each two of them. Free of MPI.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wherry::sparse {

class node_map {
 public:
  node_map() = default;
  /// @param first_of_node for each rank the first rank of its node, which numbers the nodes in ascending order
  explicit node_map(std::span<const int> first_of_node);

  int nodes() const { return static_cast<int>(members_.size()); }
  int node_of(int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  /// In ascending order.
  std::span<const int> members(int node) const { return members_[static_cast<std::size_t>(node)]; }
  /// The rank of `node` that sends to `other`, and receives from it, for all ranks of its node.
  int gate(int node, int other) const {
    const auto ranks = members(node);
    return ranks[static_cast<std::size_t>(other) % ranks.size()];
  }
  /// All gates of a node, in ascending order; none if there is one node.
  std::span<const int> gates(int node) const { return gates_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<int> node_of_;
  std::vector<std::vector<int>> members_, gates_;
};

}  // namespace wherry::sparse
