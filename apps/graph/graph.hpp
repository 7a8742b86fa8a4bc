/// @file
/// A directed graph whose nodes point to each other, in the four shapes of MEL (listings 27 and 28). One line
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

/// Makes `count` nodes by `new` and returns the first one, from which all others can be reached. Every rank makes the
/// same graph.
/// - tree: the first node points to the second, node k to 2 k and 2 k + 1
/// - ring: to the next and to the one before
/// - random: to the next, and to `degree - 1` drawn from `seed`
/// - full: to all, itself included
node* make_graph(shape which, int count, int degree, std::uint64_t seed);

/// Returns every node once, beginning with the first one.
std::vector<node*> nodes_of(node* first);

/// Frees a graph from `make_graph`.
void destroy_graph(node* first);

/// True if two graphs are the same except for the addresses of their nodes. The function walks through both graphs in
/// step, and each node must keep its counterpart.
bool isomorphic(const node* a, const node* b);

}  // namespace graph
