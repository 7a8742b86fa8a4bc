// Who passes a broadcast on to whom.
#pragma once

#include <vector>

namespace wherry {

/// A rank's place among those that pass on.
struct tree_place {
  int publisher = -1;  // whose ring this rank reads, or its own rank
  int parent = -1;     // of a publisher
  std::vector<int> children;
};

/// One publisher a node: the root on its own, elsewhere the first rank; between them a binomial tree.
/// @param first_of_node of each rank: the first rank of its node
/// @param first_ranks those, ascending
tree_place place_in_tree(const std::vector<int>& first_of_node, const std::vector<int>& first_ranks, int rank,
                         int root);

/// Whom a publisher's stream goes to from there: its children, and those of the ranks with which it shares memory that
/// read its ring.
std::vector<int> taken_by(const std::vector<int>& first_of_node, const std::vector<int>& sharing, int publisher,
                          std::vector<int> children);

/// A tree of all ranks: what is packed first goes by messages everywhere.
tree_place place_among_all(int ranks, int rank, int root);

}  // namespace wherry
