#include "check.hpp"

#include <random>
#include <utility>

#include "common/fingerprint.hpp"
#include "trace.hpp"

namespace ray_scene {
namespace {

/// Visits nodes with their depths, a node before its children, left before right.
template <class Visit> void for_each_node(const tree_node* root, Visit visit) {
  std::vector<std::pair<const tree_node*, int>> pending;
  if (root != nullptr) pending.emplace_back(root, 1);
  while (!pending.empty()) {
    const auto [node, depth] = pending.back();
    pending.pop_back();
    visit(*node, depth);
    for (const auto* child : {node->right, node->left})
      if (child != nullptr) pending.emplace_back(child, depth + 1);
  }
}

template <class T> void add_all(apps::fingerprint& to, const std::vector<T>& all) {
  to.add(all.size());
  to.add(all.data(), all.size() * sizeof(T));
}

/// Random numbers from 0 to 1 that are the same with every standard library.
class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  double next() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double sign() { return 2 * next() - 1; }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() * static_cast<double>(count)); }

 private:
  std::mt19937_64 engine_;
};

ray random_ray(const scene& s, dice& random, bool from_camera) {
  if (from_camera) return ray_through(s.view, random.sign(), random.sign());
  const auto& t = s.mesh[random.below(s.mesh.size())];
  const vec middle = (1.0 / 3) * (t.corner[0] + t.corner[1] + t.corner[2]);
  return {middle, {random.sign(), random.sign(), random.sign()}};
}

}  // namespace

std::uint64_t fingerprint_of(const scene& s) {
  apps::fingerprint all;
  all.add(s.view);
  add_all(all, s.materials);
  add_all(all, s.mesh);
  for_each_node(s.root, [&](const tree_node& node, int depth) {
    const int shape[] = {depth, node.first, node.last, node.left != nullptr, node.right != nullptr};
    all.add(shape);
    all.add(node.low);
    all.add(node.high);
  });
  return all.value();
}

tree_measures measure(const scene& s) {
  tree_measures found;
  for_each_node(s.root, [&](const tree_node&, int depth) {
    ++found.nodes;
    found.depth = std::max(found.depth, depth);
  });
  return found;
}

long wrong_rays(const scene& s, long rays, std::uint64_t seed) {
  dice random(seed);
  long wrong = 0;
  for (long k = 0; k < rays; ++k) {
    const ray r = random_ray(s, random, k % 2 == 0);
    const hit found = nearest(s, r), expected = nearest_by_brute_force(s, r);
    // Two triangles may meet the ray at the same distance, at their common edge: either is right.
    const bool same = (found.what == nullptr) == (expected.what == nullptr) && found.distance == expected.distance;
    wrong += same ? 0 : 1;
  }
  return wrong;
}

long differing_tiles(const scene& s, const picture_size& size, const std::vector<tile>& tiles, long samples,
                     std::uint64_t seed) {
  dice random(seed);
  long differing = 0;
  for (long k = 0; k < samples; ++k) {
    const auto& there = tiles[random.below(tiles.size())];
    tile here = there;
    render(s, size, here);
    differing += here == there ? 0 : 1;
  }
  return differing;
}

}  // namespace ray_scene
