// The ranks of a communicator by node.
#pragma once

#include <span>
#include <vector>

namespace wherry {

/// Nodes are numbered in the order of their first ranks.
struct node_map {
  std::vector<int> node_of;                  ///< the node of each rank
  std::vector<int> ranks;                    ///< all ranks, node by node, ascending in each node
  std::vector<int> begin;                    ///< the beginning of each node in `ranks`, and the end
  bool consecutive = true;                   ///< each node has consecutive ranks: `ranks` is 0, 1, 2, …
  int fewest_members = 0, most_members = 0;  ///< ranks of a node

  node_map() = default;
  /// @param first_of_node for each rank, the first rank of its node
  explicit node_map(const std::vector<int>& first_of_node);

  int nodes() const { return static_cast<int>(begin.size()) - 1; }
  int first_of(int node) const { return ranks[static_cast<std::size_t>(begin[static_cast<std::size_t>(node)])]; }
  std::span<const int> members(int node) const {
    const auto n = static_cast<std::size_t>(node);
    return std::span(ranks).subspan(static_cast<std::size_t>(begin[n]),
                                    static_cast<std::size_t>(begin[n + 1] - begin[n]));
  }
};

}  // namespace wherry
