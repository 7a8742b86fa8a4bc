// The figures are those that Martin Newell took from a teapot with pencil and graph paper (University of Utah, 1975),
// as published in Frank Crow's "The origins of the teapot" (IEEE Computer Graphics and Applications 7, 1987) and in
// countless programs since. The usual list has 306 control points, 12 of them twice and 4 that no patch uses. The list
// below has only the others that do not follow from the symmetries: rim, body, lid and bottom are four quarters each,
// handle and spout two halves.
#include "teapot.hpp"

namespace ray_scene {
namespace {

/// A ring of control points around the axis. The control points of a quarter are (radius, 0), (radius, bend), (bend,
/// radius), (0, radius).
struct ring {
  double radius, bend, height;
};
using profile = std::array<ring, 4>;

constexpr profile profiles[] = {
    {{{1.4, 0.784, 2.4}, {1.3375, 0.749, 2.53125}, {1.4375, 0.805, 2.53125}, {1.5, 0.84, 2.4}}},  // rim
    {{{1.5, 0.84, 2.4}, {1.75, 0.98, 1.875}, {2, 1.12, 1.35}, {2, 1.12, 0.9}}},                   // body
    {{{2, 1.12, 0.9}, {2, 1.12, 0.45}, {1.5, 0.84, 0.225}, {1.5, 0.84, 0.15}}},
    {{{0, 0, 3.15}, {0.8, 0.45, 3.15}, {0, 0, 2.85}, {0.2, 0.112, 2.7}}},  // lid
    {{{0.2, 0.112, 2.7}, {0.4, 0.224, 2.55}, {1.3, 0.728, 2.55}, {1.3, 0.728, 2.4}}},
    {{{1.5, 0.84, 0.15}, {1.5, 0.84, 0.075}, {1.425, 0.798, 0}, {0, 0, 0}}},  // bottom
};

/// One side (y <= 0) of the handle and of the spout; the other is its mirror image.
constexpr bezier_patch halves[] = {
    {{{{{-1.6, 0, 2.025}, {-1.6, -0.3, 2.025}, {-1.5, -0.3, 2.25}, {-1.5, 0, 2.25}}},  // handle
      {{{-2.3, 0, 2.025}, {-2.3, -0.3, 2.025}, {-2.5, -0.3, 2.25}, {-2.5, 0, 2.25}}},
      {{{-2.7, 0, 2.025}, {-2.7, -0.3, 2.025}, {-3, -0.3, 2.25}, {-3, 0, 2.25}}},
      {{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}}}}},
    {{{{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}}},
      {{{-2.7, 0, 1.575}, {-2.7, -0.3, 1.575}, {-3, -0.3, 1.35}, {-3, 0, 1.35}}},
      {{{-2.5, 0, 1.125}, {-2.5, -0.3, 1.125}, {-2.65, -0.3, 0.9375}, {-2.65, 0, 0.9375}}},
      {{{-2, 0, 0.9}, {-2, -0.3, 0.9}, {-1.9, -0.3, 0.6}, {-1.9, 0, 0.6}}}}},
    {{{{{1.7, 0, 1.425}, {1.7, -0.66, 1.425}, {1.7, -0.66, 0.6}, {1.7, 0, 0.6}}},  // spout
      {{{2.6, 0, 1.425}, {2.6, -0.66, 1.425}, {3.1, -0.66, 0.825}, {3.1, 0, 0.825}}},
      {{{2.3, 0, 2.1}, {2.3, -0.25, 2.1}, {2.4, -0.25, 2.025}, {2.4, 0, 2.025}}},
      {{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}}}}},
    {{{{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}}},
      {{{2.8, 0, 2.475}, {2.8, -0.25, 2.475}, {3.525, -0.25, 2.49375}, {3.525, 0, 2.49375}}},
      {{{2.9, 0, 2.475}, {2.9, -0.15, 2.475}, {3.45, -0.15, 2.5125}, {3.45, 0, 2.5125}}},
      {{{2.8, 0, 2.4}, {2.8, -0.15, 2.4}, {3.2, -0.15, 2.4}, {3.2, 0, 2.4}}}}},
};

template <class Change> bezier_patch changed(bezier_patch patch, Change change) {
  for (auto& row : patch)
    for (auto& p : row) p = change(p);
  return patch;
}

bezier_patch quarter_of(const profile& rings) {
  bezier_patch result;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [r, b, z] = rings[i];
    result[i] = {{{r, 0, z}, {r, b, z}, {b, r, z}, {0, r, z}}};
  }
  return result;
}

/// Bernstein polynomials of degree 3, and their derivatives.
std::array<double, 4> weights(double t) {
  const double s = 1 - t;
  return {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
}
std::array<double, 4> slopes(double t) {
  const double s = 1 - t;
  return {-3 * s * s, 3 * s * s - 6 * s * t, 6 * s * t - 3 * t * t, 3 * t * t};
}

vec blend(const bezier_patch& patch, const std::array<double, 4>& u, const std::array<double, 4>& v) {
  vec sum;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) sum = sum + u[i] * v[j] * patch[i][j];
  return sum;
}

vec normal_at(const bezier_patch& patch, double u, double v) {
  // If an edge of the patch is a single point, the derivative there is zero; just inside it is not.
  const auto inside = [](double t) { return 0.5 + (t - 0.5) * (1 - 1e-6); };
  u = inside(u);
  v = inside(v);
  return unit(cross(blend(patch, slopes(u), weights(v)), blend(patch, weights(u), slopes(v))));
}

void add_patch(mesh& to, const bezier_patch& patch, std::size_t detail) {
  const std::size_t first = to.points.size();
  const auto share = [&](std::size_t i) { return static_cast<double>(i) / static_cast<double>(detail); };
  for (std::size_t i = 0; i <= detail; ++i)
    for (std::size_t j = 0; j <= detail; ++j) {
      to.points.push_back(blend(patch, weights(share(i)), weights(share(j))));
      to.normals.push_back(normal_at(patch, share(i), share(j)));
    }
  const auto add_face = [&](std::size_t a, std::size_t b, std::size_t c) {
    const vec &p = to.points[a], &q = to.points[b], &r = to.points[c];
    if (length(cross(q - p, r - p)) > 1e-12) to.faces.push_back({{{a, a}, {b, b}, {c, c}}});
  };
  for (std::size_t i = 0; i < detail; ++i)
    for (std::size_t j = 0; j < detail; ++j) {
      const std::size_t a = first + i * (detail + 1) + j, b = a + 1, c = b + detail, d = c + 1;
      add_face(a, b, d);
      add_face(a, d, c);
    }
}

}  // namespace

std::vector<bezier_patch> teapot_patches() {
  std::vector<bezier_patch> all;
  for (const auto& rings : profiles) {
    auto quarter = quarter_of(rings);
    for (int k = 0; k < 4; ++k) {
      all.push_back(quarter);
      quarter = changed(quarter, [](const vec& p) { return vec{-p.y, p.x, p.z}; });
    }
  }
  for (const auto& half : halves) {
    all.push_back(half);
    auto other = changed(half, [](const vec& p) { return vec{p.x, -p.y, p.z}; });
    for (auto& row : other) std::swap(row[0], row[3]), std::swap(row[1], row[2]);  // keeps the outside outside
    all.push_back(other);
  }
  return all;
}

mesh tessellate(const std::vector<bezier_patch>& patches, int detail) {
  mesh result;
  for (const auto& patch : patches) add_patch(result, patch, static_cast<std::size_t>(detail));
  return result;
}

}  // namespace ray_scene
