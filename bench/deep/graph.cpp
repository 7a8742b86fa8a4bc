#include "deep/graph.hpp"

#include <numeric>
#include <random>
#include <stdexcept>

namespace bench::deep {
namespace {

constexpr int degree = 8;

/// Calls `edge(from, to)` for every edge, with the edges of one node together and in their order, and `count(node,
/// edges)` before them.
template <class Count, class Edge> void list_edges(const std::string& shape, int nodes, Count count, Edge edge) {
  std::minstd_rand random(1234567);
  std::uniform_int_distribution<int> any(0, nodes - 1);
  for (int i = 0; i < nodes; ++i) {
    if (shape == "random") {
      count(i, degree);
      edge(i, (i + 1) % nodes);
      for (int j = 1; j < degree; ++j) edge(i, any(random));
    } else if (shape == "ring") {
      count(i, 2);
      edge(i, (i + 1) % nodes);
      edge(i, (i + nodes - 1) % nodes);
    } else if (shape == "tree") {
      count(i, 2);
      for (const int child : {2 * i + 1, 2 * i + 2})
        if (child < nodes) edge(i, child);
    } else if (shape == "full") {
      count(i, nodes);
      for (int j = 0; j < nodes; ++j) edge(i, j);
    } else {
      throw std::invalid_argument("there is no graph '" + shape + "'");
    }
  }
}

template <class Node, class Pointer, class Make> Pointer build(const std::string& shape, int nodes, Make make_node) {
  std::vector<Pointer> all(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i) {
    auto& one = all[static_cast<std::size_t>(i)];
    one = make_node();
    one->value = i;
  }
  const auto at = [&](int i) -> Pointer& { return all[static_cast<std::size_t>(i)]; };
  list_edges(
      shape, nodes, [&](int i, int edges) { at(i)->edges.reserve(static_cast<std::size_t>(edges)); },
      [&](int from, int to) { at(from)->edges.push_back(at(to)); });
  return all.front();
}

/// Returns every node once, by number; empty if two nodes have the same number.
template <class Node> std::vector<Node*> gather(Node* start) {
  std::vector<Node*> found, open;
  bool twice = false;
  const auto visit = [&](Node* node) {
    const auto number = static_cast<std::size_t>(node->value);
    if (number >= found.size()) found.resize(2 * number + 1, nullptr);
    if (found[number] == nullptr) {
      found[number] = node;
      open.push_back(node);
    } else {
      twice = twice || found[number] != node;
    }
  };
  if (start != nullptr) visit(start);
  while (!open.empty()) {
    Node* const node = open.back();
    open.pop_back();
    for (const auto& to : node->edges) visit(&*to);
  }
  while (!found.empty() && found.back() == nullptr) found.pop_back();
  return twice ? std::vector<Node*>() : found;
}

template <class Node> bool same_nodes(const std::vector<Node*>& a, const std::vector<Node*>& b) {
  if (a.size() != b.size() || a.empty()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == nullptr || b[i] == nullptr || a[i]->edges.size() != b[i]->edges.size()) return false;
    for (std::size_t e = 0; e < a[i]->edges.size(); ++e)
      if (a[i]->edges[e]->value != b[i]->edges[e]->value) return false;
  }
  return true;
}

template <class Node> std::vector<std::size_t> allocations_of_nodes(const std::vector<Node*>& nodes) {
  std::vector<std::size_t> sizes;
  for (const auto* node : nodes) {
    sizes.push_back(sizeof *node);
    sizes.push_back(node->edges.size() * sizeof node->edges.front());
  }
  return sizes;
}

template <class Node> std::size_t bytes_of_nodes(const std::vector<Node*>& nodes) {
  const auto sizes = allocations_of_nodes(nodes);
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

}  // namespace

void make(graph& result, const std::string& shape, int nodes) {
  result.start = build<graph_node, graph_node*>(shape, nodes, [] { return new graph_node; });
}

void make(shared_graph& result, const std::string& shape, int nodes) {
  using pointer = std::shared_ptr<shared_node>;
  result.start = build<shared_node, pointer>(shape, nodes, [] { return std::make_shared<shared_node>(); });
}

std::vector<graph_node*> nodes_of(const graph& g) { return gather(g.start); }

bool same(const graph& a, const graph& b) {
  return (a.start != nullptr) == (b.start != nullptr) && same_nodes(gather(a.start), gather(b.start)) &&
         a.start->value == b.start->value;
}

bool same(const shared_graph& a, const shared_graph& b) {
  return same_nodes(gather(a.start.get()), gather(b.start.get())) && a.start->value == b.start->value;
}

void clear(graph& g) {
  for (auto* node : gather(g.start)) delete node;
  g.start = nullptr;
}

void clear(shared_graph& g) {
  // Cycles of shared_ptr keep themselves alive, and a chain would be destroyed recursively.
  std::vector<std::vector<std::shared_ptr<shared_node>>> edges;
  for (auto* node : gather(g.start.get())) edges.push_back(std::move(node->edges));
  g.start.reset();
}

std::vector<std::size_t> allocations_of(const graph& g) { return allocations_of_nodes(gather(g.start)); }

std::size_t bytes_of(const graph& g) { return sizeof g + bytes_of_nodes(gather(g.start)); }
std::size_t bytes_of(const shared_graph& g) { return sizeof g + bytes_of_nodes(gather(g.start.get())); }

}  // namespace bench::deep
