/// @file
/// A directed graph whose nodes point to each other, in the four shapes of paper 3 (listings 27 and 28). One line
/// describes it to a deep copy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graph {

struct node {
  int value = 0;
  std::vector<node*> edges;

  // begin: what a user writes
  template <class Message> void describe(Message& m) { m(edges); }
  // end
};

enum class shape { tree, ring, random, full };

/// @throws std::invalid_argument for any other name than tree, ring, random and full
shape shape_named(const std::string& name);

/// The first of `count` nodes, from which all others can be reached. Nodes come from `new`. The same graph wherever it
/// is made.
/// - tree: the first points to the second, node k to 2 k and 2 k + 1
/// - ring: to the next and to the one before
/// - random: to the next, and to `degree - 1` drawn from `seed`
/// - full: to all, itself included
node* make_graph(shape which, int count, int degree, std::uint64_t seed);

/// Every node once, the first one first.
std::vector<node*> nodes_of(node* first);

/// Frees what `make_graph` made.
void destroy_graph(node* first);

/// Whether two graphs are the same but for where their nodes lie: walks through both in step, and each node must keep
/// its counterpart.
bool isomorphic(const node* a, const node* b);

}  // namespace graph
