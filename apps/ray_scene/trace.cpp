#include "trace.hpp"

#include <cmath>
#include <limits>

namespace ray_scene {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nothing_nearer = 1e-6;  // a ray that leaves a surface does not meet it again at once
constexpr int most_mirrors = 3;
constexpr int deepest_tree = 64;

/// Möller and Trumbore's test. It keeps the hit if it is nearer than the known one.
void meet(const triangle& t, const ray& r, hit& best) {
  const vec edge1 = t.corner[1] - t.corner[0], edge2 = t.corner[2] - t.corner[0];
  const vec p = cross(r.direction, edge2);
  const double scale = dot(edge1, p);
  if (scale == 0) return;
  const vec from = r.origin - t.corner[0], q = cross(from, edge1);
  const double u = dot(from, p) / scale, v = dot(r.direction, q) / scale, distance = dot(edge2, q) / scale;
  if (u < 0 || v < 0 || u + v > 1 || distance < nothing_nearer) return;
  if (best.what == nullptr || distance < best.distance) best = {&t, distance, u, v};
}

/// The distance along the ray at which the box begins; infinite if the ray misses the box.
double entry(const tree_node& box, const ray& r, const vec& inverse) {
  const vec a = inverse * (box.low - r.origin), b = inverse * (box.high - r.origin);
  double in = 0, out = infinite;
  for (int axis = 0; axis < 3; ++axis) {
    // If the ray does not move along this axis and is between the faces, or in one of them, the faces set no limit.
    if (std::isnan(a[axis] + b[axis])) continue;
    in = std::max(in, std::min(a[axis], b[axis]));
    out = std::min(out, std::max(a[axis], b[axis]));
  }
  return in <= out ? in : infinite;
}

struct surface {
  vec point, normal;  ///< the normal points against the ray
};

surface surface_at(const ray& r, const hit& h) {
  const auto& t = *h.what;
  vec face = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  if (dot(face, r.direction) > 0) face = -1 * face;
  vec n = unit((1 - h.u - h.v) * t.normal[0] + h.u * t.normal[1] + h.v * t.normal[2]);
  if (dot(n, face) < 0) n = -1 * n;
  return {r.origin + h.distance * r.direction, n};
}

vec sky(const vec& direction) {
  const double height = 0.5 * (1 + direction.z);
  return (1 - height) * vec{0.93, 0.94, 0.96} + height * vec{0.45, 0.62, 0.85};
}

vec colour_of(const material& m, const vec& p) {
  if (m.check == 0) return m.colour;
  const auto square = static_cast<long>(std::floor(p.x / m.check) + std::floor(p.y / m.check));
  return square % 2 == 0 ? m.colour : m.other_colour;
}

/// The light from the sky, and from the sun unless something blocks it.
vec lit(const scene& s, const surface& at, const vec& towards_eye, const material& m) {
  static const vec sun = unit({-0.75, -0.2, 0.8});
  vec result = (0.20 + 0.12 * at.normal.z) * colour_of(m, at.point);
  const double facing = dot(at.normal, sun);
  if (facing <= 0 || nearest(s, {at.point + 1e-6 * at.normal, sun}).what != nullptr) return result;
  const double shine = std::max(0.0, dot(at.normal, unit(sun + towards_eye)));
  result = result + 0.75 * facing * colour_of(m, at.point);
  return result + m.shine * std::pow(shine, 60) * vec{1, 1, 1};
}

vec colour_after(const scene& s, const ray& r, int mirrors) {
  const vec direction = unit(r.direction);
  const auto found = nearest(s, r);
  if (found.what == nullptr) return sky(direction);
  const auto& m = s.materials[static_cast<std::size_t>(found.what->material)];
  const auto at = surface_at(r, found);
  const double near = std::exp(-std::pow(length(at.point - s.view.eye) / s.view.sight, 2));
  const vec seen = near * lit(s, at, -1 * direction, m) + (1 - near) * sky(direction);
  if (m.mirror == 0 || mirrors == 0) return seen;
  const double slant = 1 + std::min(0.0, dot(direction, at.normal));  // a flat angle reflects more (Schlick)
  const double share = m.mirror + (1 - m.mirror) * 0.5 * std::pow(slant, 5);
  const ray mirrored{at.point + 1e-6 * at.normal, direction - 2 * dot(direction, at.normal) * at.normal};
  return (1 - share) * seen + share * colour_after(s, mirrored, mirrors - 1);
}

}  // namespace

hit nearest(const scene& s, const ray& r) {
  const vec inverse{1 / r.direction.x, 1 / r.direction.y, 1 / r.direction.z};
  struct pending {
    const tree_node* node;
    double from;
  };
  pending stack[deepest_tree];
  int count = 0;
  hit best;
  const auto push = [&](const tree_node* node, double from) {
    if (from < infinite) stack[count++] = {node, from};
  };
  push(s.root, entry(*s.root, r, inverse));
  while (count > 0) {
    const auto [node, from] = stack[--count];
    if (best.what != nullptr && from > best.distance) continue;
    if (node->left == nullptr) {
      for (int i = node->first; i < node->last; ++i) meet(s.mesh[static_cast<std::size_t>(i)], r, best);
      continue;
    }
    const double left = entry(*node->left, r, inverse), right = entry(*node->right, r, inverse);
    const bool left_first = left < right;  // the nearer child goes on top of the stack
    push(left_first ? node->right : node->left, left_first ? right : left);
    push(left_first ? node->left : node->right, left_first ? left : right);
  }
  return best;
}

hit nearest_by_brute_force(const scene& s, const ray& r) {
  hit best;
  for (const auto& t : s.mesh) meet(t, r, best);
  return best;
}

vec colour_along(const scene& s, const ray& r) { return colour_after(s, r, most_mirrors); }

ray ray_through(const camera& c, double x, double y) { return {c.eye, c.forward + x * c.right + y * c.up}; }

}  // namespace ray_scene
