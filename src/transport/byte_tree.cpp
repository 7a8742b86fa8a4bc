#include "byte_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace wherry {

tree_place place_in_tree(const std::vector<int>& first_of_node, const std::vector<int>& first_ranks, int rank,
                         int root) {
  tree_place result;
  const int roots_first = first_of_node[static_cast<std::size_t>(root)];
  const int my_first = first_of_node[static_cast<std::size_t>(rank)];
  result.publisher = my_first == roots_first ? root : my_first;
  if (result.publisher != rank) return result;
  const auto nodes = first_ranks.size();
  const auto index_of = [&](int first) {
    return static_cast<std::size_t>(std::lower_bound(first_ranks.begin(), first_ranks.end(), first) -
                                    first_ranks.begin());
  };
  const auto zero = index_of(roots_first);
  const auto publisher_of = [&](std::size_t relative) {
    const int first = first_ranks[(relative + zero) % nodes];
    return first == roots_first ? root : first;
  };
  const auto mine = (index_of(my_first) + nodes - zero) % nodes;
  std::size_t bit = 1;
  while (bit < nodes && (mine & bit) == 0) bit <<= 1;
  if (mine != 0) result.parent = publisher_of(mine ^ bit);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (mine + bit < nodes) result.children.push_back(publisher_of(mine + bit));
  return result;
}

std::vector<int> taken_by(const std::vector<int>& first_of_node, const std::vector<int>& sharing, int publisher,
                          std::vector<int> children) {
  const auto node = [&](int rank) { return first_of_node[static_cast<std::size_t>(rank)]; };
  for (const int rank : sharing)
    if (rank != publisher && node(rank) == node(publisher)) children.push_back(rank);
  return children;
}

tree_place place_among_all(int ranks, int rank, int root) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return place_in_tree(all, all, rank, root);
}

}  // namespace wherry
