#include "graph.hpp"

#include <random>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace graph {
namespace {

void connect(std::vector<node*>& nodes, shape which, int degree, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t count = nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto& edges = nodes[i]->edges;
    switch (which) {
      case shape::tree:
        for (const std::size_t child : {2 * i, 2 * i + 1})
          if (child > i && child < count) edges.push_back(nodes[child]);
        break;
      case shape::ring:
        edges = {nodes[(i + 1) % count], nodes[(i + count - 1) % count]};
        break;
      case shape::random:
        edges.push_back(nodes[(i + 1) % count]);
        while (std::ssize(edges) < degree) edges.push_back(nodes[random() % count]);
        break;
      case shape::full:
        edges = nodes;
        break;
    }
  }
}

}  // namespace

shape shape_named(const std::string& name) {
  if (name == "tree") return shape::tree;
  if (name == "ring") return shape::ring;
  if (name == "random") return shape::random;
  if (name == "full") return shape::full;
  throw std::invalid_argument("--shape is '" + name + "', expected tree, ring, random or full");
}

node* make_graph(shape which, int count, int degree, std::uint64_t seed) {
  std::vector<node*> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(new node{i, {}});
  connect(nodes, which, degree, seed);
  return nodes.front();
}

std::vector<node*> nodes_of(node* first) {
  std::vector<node*> found{first};
  std::unordered_set<const node*> known{first};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (auto* next : found[i]->edges)
      if (known.insert(next).second) found.push_back(next);
  return found;
}

void destroy_graph(node* first) {
  for (auto* each : nodes_of(first)) delete each;
}

bool isomorphic(const node* a, const node* b) {
  std::unordered_map<const node*, const node*> there, back;
  std::vector<std::pair<const node*, const node*>> pending;
  const auto pair_up = [&](const node* x, const node* y) {
    const auto [from_x, x_is_new] = there.try_emplace(x, y);
    const auto [from_y, y_is_new] = back.try_emplace(y, x);
    if (x_is_new && y_is_new) pending.emplace_back(x, y);
    return from_x->second == y && from_y->second == x;
  };
  if (!pair_up(a, b)) return false;
  while (!pending.empty()) {
    const auto [x, y] = pending.back();
    pending.pop_back();
    if (x->value != y->value || x->edges.size() != y->edges.size()) return false;
    for (std::size_t k = 0; k < x->edges.size(); ++k)
      if (!pair_up(x->edges[k], y->edges[k])) return false;
  }
  return true;
}

}  // namespace graph
