#include "node_map.hpp"

#include <algorithm>

namespace wherry::sparse {

node_map::node_map(std::span<const int> first_of_node) : node_of_(first_of_node.size(), 0) {
  for (std::size_t rank = 0; rank < first_of_node.size(); ++rank) {
    const auto first = static_cast<std::size_t>(first_of_node[rank]);
    if (first == rank) {
      node_of_[rank] = nodes();
      members_.emplace_back();
    } else {
      node_of_[rank] = node_of_[first];
    }
    members_[static_cast<std::size_t>(node_of_[rank])].push_back(static_cast<int>(rank));
  }
  gates_.resize(members_.size());
  for (int node = 0; node < nodes(); ++node) {
    auto& list = gates_[static_cast<std::size_t>(node)];
    for (int other = 0; other < nodes(); ++other)
      if (other != node) list.push_back(gate(node, other));
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  }
}

}  // namespace wherry::sparse
