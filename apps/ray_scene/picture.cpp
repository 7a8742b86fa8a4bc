#include "picture.hpp"

#include <algorithm>
#include <cmath>

#include "trace.hpp"

namespace ray_scene {
namespace {

vec colour_of_dot(const scene& s, const picture_size& size, int x, int y) {
  vec sum;
  const int n = size.samples;
  for (int k = 0; k < n * n; ++k) {
    const double at_x = x + (k % n + 0.5) / n, at_y = y + (k / n + 0.5) / n;
    sum = sum + colour_along(s, ray_through(s.view, 2 * at_x / size.width - 1, 1 - 2 * at_y / size.height));
  }
  return 1.0 / (n * n) * sum;
}

/// Converts the amount of light to the value for a screen, which is about its square root.
std::uint8_t level(double light) {
  return static_cast<std::uint8_t>(std::lround(255 * std::pow(std::clamp(light, 0.0, 1.0), 1 / 2.2)));
}

}  // namespace

std::vector<tile> cut_into_tiles(const picture_size& size, int side) {
  std::vector<tile> all;
  for (int y = 0; y < size.height; y += side)
    for (int x = 0; x < size.width; x += side)
      all.push_back({x, y, std::min(side, size.width - x), std::min(side, size.height - y), {}});
  return all;
}

void render(const scene& s, const picture_size& size, tile& into) {
  into.dots.clear();
  for (int y = into.y; y < into.y + into.height; ++y)
    for (int x = into.x; x < into.x + into.width; ++x) {
      const vec light = colour_of_dot(s, size, x, y);
      for (const double part : {light.x, light.y, light.z}) into.dots.push_back(level(part));
    }
}

bytes put_together(const picture_size& size, const std::vector<tile>& tiles) {
  bytes all(3 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  for (const auto& t : tiles)
    for (int row = 0; row < t.height; ++row)
      std::copy_n(t.dots.begin() + 3 * row * t.width, 3 * t.width, all.begin() + 3 * ((t.y + row) * size.width + t.x));
  return all;
}

}  // namespace ray_scene
