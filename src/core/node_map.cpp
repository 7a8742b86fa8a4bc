#include "node_map.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wherry {

node_map::node_map(const std::vector<int>& first_of_node) : node_of(first_of_node.size()), ranks(first_of_node.size()) {
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto first = [&](int rank) { return first_of_node[static_cast<std::size_t>(rank)]; };
  std::sort(ranks.begin(), ranks.end(), [&](int a, int b) { return std::pair(first(a), a) < std::pair(first(b), b); });
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    if (i == 0 || first_of_node[rank] != first_of_node[static_cast<std::size_t>(ranks[i - 1])])
      begin.push_back(static_cast<int>(i));
    node_of[rank] = static_cast<int>(begin.size()) - 1;
    consecutive = consecutive && rank == i;
  }
  begin.push_back(static_cast<int>(ranks.size()));
  for (int node = 0; node < nodes(); ++node) {
    const auto members_here = static_cast<int>(members(node).size());
    fewest_members = node == 0 ? members_here : std::min(fewest_members, members_here);
    most_members = std::max(most_members, members_here);
  }
}

}  // namespace wherry
