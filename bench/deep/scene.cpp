#include "deep/scene.hpp"

#include <cstring>
#include <numeric>
#include <random>
#include <utility>

namespace bench::deep {
namespace {

using generator = std::minstd_rand;

vec random_vec(generator& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  return {unit(random), unit(random), unit(random)};
}

tree_node* build(generator& random, int first, int last) {
  auto* const node = new tree_node{first, last, random_vec(random), random_vec(random)};
  if (last - first > 1) {
    const int middle = first + (last - first) / 2;
    node->left = build(random, first, middle);
    node->right = build(random, middle, last);
  }
  return node;
}

template <class Value> bool same_bytes(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

bool same_trees(const tree_node* a, const tree_node* b) {
  std::vector<std::pair<const tree_node*, const tree_node*>> open{{a, b}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (x == nullptr && y == nullptr) continue;
    if (x == nullptr || y == nullptr || std::memcmp(x, y, node_head) != 0) return false;
    open.emplace_back(x->left, y->left);
    open.emplace_back(x->right, y->right);
  }
  return true;
}

}  // namespace

void make(scene& result, int nodes) {
  generator random(20161121);
  result.view = {random_vec(random), random_vec(random), random_vec(random), 60};
  for (int i = 0; i < 16; ++i)
    result.materials.push_back({random_vec(random), random_vec(random), random_vec(random), 1.0 + i});
  const int triangles = nodes / 2;
  result.mesh.resize(static_cast<std::size_t>(triangles));  // zeroes the padding too, so that bytes can be compared
  for (int i = 0; i < triangles; ++i) {
    auto& one = result.mesh[static_cast<std::size_t>(i)];
    for (auto& corner : one.corners) corner = random_vec(random);
    for (auto& normal : one.normals) normal = random_vec(random);
    one.material = i % 16;
  }
  if (triangles > 0) result.root = build(random, 0, triangles);
}

bool same(const scene& a, const scene& b) {
  return std::memcmp(&a.view, &b.view, sizeof a.view) == 0 && same_bytes(a.materials, b.materials) &&
         same_bytes(a.mesh, b.mesh) && same_trees(a.root, b.root);
}

void clear(scene& s) {
  free_tree(s.root, [](tree_node* node) { delete node; });
  s = scene();
}

std::vector<std::size_t> allocations_of(const scene& s) {
  std::vector<std::size_t> sizes{s.materials.size() * sizeof(material), s.mesh.size() * sizeof(triangle)};
  std::vector<const tree_node*> open{s.root};
  while (!open.empty()) {
    const tree_node* const node = open.back();
    open.pop_back();
    if (node == nullptr) continue;
    sizes.push_back(sizeof *node);
    open.insert(open.end(), {node->left, node->right});
  }
  return sizes;
}

std::size_t bytes_of(const scene& s) {
  const auto sizes = allocations_of(s);
  return std::accumulate(sizes.begin(), sizes.end(), sizeof s);
}

}  // namespace bench::deep
