#include "build.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace ray_scene {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct box {
  vec low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};

  void include(const vec& p) {
    low = smaller(low, p);
    high = larger(high, p);
  }
  vec size() const { return high - low; }
  vec middle() const { return 0.5 * (low + high); }
};

box box_around(const std::vector<vec>& points) {
  box result;
  for (const auto& p : points) result.include(p);
  return result;
}

vec middle(const triangle& t) { return (1.0 / 3) * (t.corner[0] + t.corner[1] + t.corner[2]); }

int longest_axis(const vec& size) {
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

/// The boxes are larger by `slack`, so that rounding never hides a triangle that lies in a box's face.
tree_node* build_node(std::vector<triangle>& mesh, int first, int last, double slack) {
  box all, middles;
  for (int i = first; i < last; ++i) {
    const auto& t = mesh[static_cast<std::size_t>(i)];
    for (const auto& c : t.corner) all.include(c);
    middles.include(middle(t));
  }
  const vec margin{slack, slack, slack};
  auto* node = new tree_node{first, last, all.low - margin, all.high + margin};
  if (last - first == 1) return node;
  const int axis = longest_axis(middles.size()), half = first + (last - first) / 2;
  std::nth_element(mesh.begin() + first, mesh.begin() + half, mesh.begin() + last,
                   [axis](const auto& a, const auto& b) { return middle(a)[axis] < middle(b)[axis]; });
  node->left = build_node(mesh, first, half, slack);
  node->right = build_node(mesh, half, last, slack);
  return node;
}

const std::vector<material>& materials() {
  static const std::vector<material> all{
      {{0.82, 0.80, 0.74}, {0.16, 0.22, 0.30}, 0.0, 0.06},  // the floor
      {{0.75, 0.20, 0.10}, {}, 0.6, 0.14},
      {{0.10, 0.36, 0.60}, {}, 0.6, 0.14},
      {{0.85, 0.62, 0.15}, {}, 0.6, 0.14},
      {{0.22, 0.48, 0.25}, {}, 0.6, 0.14},
      {{0.80, 0.80, 0.82}, {}, 0.8, 0.45},
  };
  return all;
}

void add_copy(std::vector<triangle>& to, const mesh& what, const vec& shift, std::int64_t its_material) {
  for (const auto& f : what.faces) {
    triangle t;
    for (std::size_t k = 0; k < 3; ++k) {
      t.corner[k] = what.points[f[k].point] + shift;
      t.normal[k] = what.normals[f[k].normal];
    }
    t.material = its_material;
    to.push_back(t);
  }
}

void add_floor(std::vector<triangle>& to, const box& below, double reach) {
  const double z = below.low.z;
  const vec a{below.low.x - reach, below.low.y - reach, z}, b{below.high.x + reach, below.low.y - reach, z},
      c{below.high.x + reach, below.high.y + reach, z}, d{below.low.x - reach, below.high.y + reach, z}, up{0, 0, 1};
  to.push_back({{a, b, c}, {up, up, up}, 0});
  to.push_back({{a, c, d}, {up, up, up}, 0});
}

/// Places the camera above and in front of the box, so near that the box fills the picture (4 : 3).
camera look_at(const box& what) {
  constexpr double half_width = 0.4, half_height = 0.3;
  const vec towards = unit(vec{-0.35, 1, -0.5}), right = unit(cross(towards, {0, 0, 1})), up = cross(right, towards);
  double distance = 0;
  for (int k = 0; k < 8; ++k) {  // no corner of the box may lie outside the picture
    const vec corner{k & 1 ? what.high.x : what.low.x, k & 2 ? what.high.y : what.low.y,
                     k & 4 ? what.high.z : what.low.z};
    const vec p = corner - what.middle();
    const double sideways = std::max(std::abs(dot(p, right)) / half_width, std::abs(dot(p, up)) / half_height);
    distance = std::max(distance, sideways - dot(p, towards));
  }
  return {what.middle() - 1.04 * distance * towards, towards, half_width * right, half_height * up, 6 * distance};
}

}  // namespace

tree_node* build_tree(std::vector<triangle>& mesh) {
  double largest = 0;
  for (const auto& t : mesh)
    for (const auto& c : t.corner) largest = std::max({largest, std::abs(c.x), std::abs(c.y), std::abs(c.z)});
  return build_node(mesh, 0, static_cast<int>(mesh.size()), 1e-9 * largest);
}

scene make_scene(const mesh& what, int copies) {
  scene result;
  const box one = box_around(what.points);
  const vec step = 1.15 * one.size();
  const int columns = static_cast<int>(std::ceil(std::sqrt(copies)));
  box all;
  result.materials = materials();
  result.materials[0].check = 0.12 * length(one.size());
  for (int k = 0; k < copies; ++k) {
    const vec shift{step.x * (k % columns), step.y * (k / columns) * 1.3, 0};
    add_copy(result.mesh, what, shift, 1 + k % (std::ssize(result.materials) - 1));
    all.include(one.low + shift);
    all.include(one.high + shift);
  }
  add_floor(result.mesh, all, 20 * length(all.size()));
  result.root = build_tree(result.mesh);
  result.view = look_at(all);
  return result;
}

}  // namespace ray_scene
