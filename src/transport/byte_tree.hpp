// The tree along which a broadcast travels.
#pragma once

#include <vector>

namespace wherry {

/// A rank's place in the tree.
struct tree_place {
  int publisher = -1;  // the rank whose ring this rank reads; or itself
  int parent = -1;     // of a publisher
  std::vector<int> children;
};

/// Places for one publisher on each node: on the root's node the root, elsewhere the first rank. The publishers form a
/// binomial tree.
/// @param first_of_node for each rank: the first rank of its node
/// @param first_ranks the first ranks of all nodes, ascending
tree_place place_in_tree(const std::vector<int>& first_of_node, const std::vector<int>& first_ranks, int rank,
                         int root);

/// The ranks to which a publisher's stream goes directly: its children, and the ranks of its node that read its ring.
std::vector<int> taken_by(const std::vector<int>& first_of_node, const std::vector<int>& sharing, int publisher,
                          std::vector<int> children);

/// Places in a tree of all ranks, for packed streams, which travel by messages everywhere.
tree_place place_among_all(int ranks, int rank, int root);

}  // namespace wherry
