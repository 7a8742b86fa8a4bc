/// @file
/// The directed graphs of MEL's second experiment: nodes that hold pointers to one another, with cycles.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench::deep {

struct graph_node {
  int value = 0;  ///< the node's number in the graph
  std::vector<graph_node*> edges;

  // begin: what a user writes (Wherry)
  template <class Message> void describe(Message& m) { m(edges); }
  // end
};

struct graph {
  graph_node* start = nullptr;  ///< every node can be reached from it

  // begin: what a user writes (Wherry)
  template <class Message> void describe(Message& m) { m.shared(start); }
  // end
};

/// The graph for serialisers that keep identity for shared_ptr only.
struct shared_node {
  int value = 0;
  std::vector<std::shared_ptr<shared_node>> edges;
};
struct shared_graph {
  std::shared_ptr<shared_node> start;
};

/// Makes a graph of the shape random (degree 8), ring, tree (binary) or full, which is the same on all ranks.
/// @throws std::invalid_argument
void make(graph& result, const std::string& shape, int nodes);
void make(shared_graph& result, const std::string& shape, int nodes);

/// True if the graphs have equal values, edges in the same order, and no node twice.
bool same(const graph& a, const graph& b);
bool same(const shared_graph& a, const shared_graph& b);

/// Returns every node once, by number.
std::vector<graph_node*> nodes_of(const graph& g);

/// Frees nodes that were made by `new`, and leaves an empty graph.
void clear(graph& g);
void clear(shared_graph& g);

/// The numbers of bytes of all allocations that make the structure.
std::vector<std::size_t> allocations_of(const graph& g);

/// The bytes of the structure, without the overhead of an allocator.
std::size_t bytes_of(const graph& g);
std::size_t bytes_of(const shared_graph& g);

}  // namespace bench::deep
