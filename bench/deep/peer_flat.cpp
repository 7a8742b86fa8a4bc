// Flat copies by hand: fields in sequence into a buffer, without checks. No serialiser can be faster.
#include "deep/codec_contenders.hpp"
#include "deep/peers.hpp"

namespace bench::deep {
namespace {

// begin: what a user writes (scene)
template <class Value> void pack(const std::vector<Value>& values, packed_bytes& to) {
  to.append(values.size());
  to.append(values.data(), values.size() * sizeof(Value));
}
template <class Value> void unpack(packed_reader& from, std::vector<Value>& values) {
  values.resize(from.read<std::size_t>());
  from.read(values.data(), values.size() * sizeof(Value));
}

void pack(const tree_node* node, packed_bytes& to) {
  to.append(node != nullptr);
  if (node == nullptr) return;
  to.append(node, node_head);
  pack(node->left, to);
  pack(node->right, to);
}
void unpack(packed_reader& from, tree_node*& node) {
  if (!from.read<bool>()) return;
  node = new tree_node;
  from.read(node, node_head);
  unpack(from, node->left);
  unpack(from, node->right);
}

void pack(const scene& s, packed_bytes& to) {
  to.append(s.view);
  pack(s.materials, to);
  pack(s.mesh, to);
  pack(s.root, to);
}
void unpack(packed_reader& from, scene& s) {
  s.view = from.read<camera>();
  unpack(from, s.materials);
  unpack(from, s.mesh);
  unpack(from, s.root);
}
// end

// begin: what a user writes (graph)
void pack(const graph& g, packed_bytes& to) {
  const auto nodes = nodes_of(g);
  to.append(nodes.size());
  to.append(g.start->value);
  for (const auto* node : nodes) {
    to.append(node->edges.size());
    for (const auto* edge : node->edges) to.append(edge->value);
  }
}
void unpack(packed_reader& from, graph& g) {
  std::vector<graph_node*> nodes(from.read<std::size_t>());
  int number = 0;
  for (auto& node : nodes) node = new graph_node{number++, {}};
  g.start = nodes[static_cast<std::size_t>(from.read<int>())];
  for (auto* node : nodes) {
    node->edges.resize(from.read<std::size_t>());
    for (auto& edge : node->edges) edge = nodes[static_cast<std::size_t>(from.read<int>())];
  }
}
// end

template <class Structure> contenders all(const job<Structure>& work) {
  return {make_contender<Structure>("flat by hand", "limit", work,
                                    {[](const Structure& from, packed_bytes& to) { pack(from, to); },
                                     [](packed_bytes& from, Structure& to) {
                                       packed_reader reader(from);
                                       unpack(reader, to);
                                     }})};
}

}  // namespace

contenders flat_copy(const job<scene>& work) { return all(work); }
contenders flat_copy(const job<graph>& work) { return all(work); }

}  // namespace bench::deep
