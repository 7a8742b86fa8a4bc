#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/png.hpp"

namespace liquid {
namespace {

constexpr int dots = 420;                         // of a snapshot's side
constexpr double radius = 0.45;                   // of a sphere
constexpr double turned = 0.5236, tilted = 0.42;  // the view: 30 degrees around the upright axis, and from above

using triple = std::array<double, 3>;

/// The colours of ranks, and of more ranks by turns.
constexpr std::array<triple, 8> colours{{{0.90, 0.38, 0.25},
                                         {0.20, 0.53, 0.74},
                                         {0.98, 0.75, 0.26},
                                         {0.30, 0.66, 0.47},
                                         {0.58, 0.42, 0.71},
                                         {0.94, 0.55, 0.68},
                                         {0.45, 0.45, 0.48},
                                         {0.60, 0.80, 0.88}}};

/// Turns a position around the middle of the box, so that the first two coordinates are those of the picture, upwards,
/// and the third one points to the eye.
triple seen(const triple& at) {
  const double c = std::cos(turned), s = std::sin(turned), up = std::cos(tilted), on = std::sin(tilted);
  const double depth = -s * at[0] - c * at[1];
  return {c * at[0] - s * at[1], up * at[2] - on * depth, on * at[2] + up * depth};
}

class canvas {
 public:
  explicit canvas(int width)
      : width_(width),
        colours_(static_cast<std::size_t>(width * dots), triple{1, 1, 1}),
        depths_(colours_.size(), -std::numeric_limits<double>::infinity()) {}

  /// Paints a sphere where nothing is in front of it. The light comes from the upper left.
  void sphere(double column, double row, double depth, double size, const triple& colour) {
    for (int y = static_cast<int>(row - size); y <= row + size; ++y)
      for (int x = static_cast<int>(column - size); x <= column + size; ++x) {
        const double u = (x - column) / size, v = (y - row) / size, rest = 1 - u * u - v * v;
        if (rest < 0 || x < 0 || x >= width_ || y < 0 || y >= dots) continue;
        const double w = std::sqrt(rest);
        const auto at = static_cast<std::size_t>(y * width_ + x);
        if (depth + size * w <= depths_[at]) continue;
        depths_[at] = depth + size * w;
        const double light = 0.35 + 0.65 * std::max(0.0, -0.45 * u - 0.55 * v + 0.70 * w);
        for (std::size_t c = 0; c < 3; ++c) colours_[at][c] = light * colour[c];
      }
  }
  void write(const std::string& file) const {
    std::vector<std::uint8_t> bytes;
    for (const auto& colour : colours_)
      for (const double part : colour)
        bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::min(part, 1.0))));
    apps::write_png(file, width_, dots, bytes);
  }

 private:
  int width_;
  std::vector<triple> colours_;
  std::vector<double> depths_;
};

}  // namespace

void draw(const std::string& file, double side, const std::vector<snapshot>& snapshots) {
  const double scale = dots / (side * 1.62);
  canvas picture(dots * static_cast<int>(snapshots.size()));
  for (std::size_t k = 0; k < snapshots.size(); ++k) {
    const auto& [all, owners] = snapshots[k];
    for (std::size_t i = 0; i < all.x.size(); ++i) {
      const auto wrapped = [side](double x) { return x - side * std::floor(x / side) - side / 2; };
      const auto at = seen({wrapped(all.x[i]), wrapped(all.y[i]), wrapped(all.z[i])});
      picture.sphere(dots * (static_cast<double>(k) + 0.5) + scale * at[0], dots * 0.5 - scale * at[1], scale * at[2],
                     scale * radius, colours[static_cast<std::size_t>(owners[i]) % colours.size()]);
    }
  }
  picture.write(file);
}

}  // namespace liquid
