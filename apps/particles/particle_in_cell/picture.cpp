#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/png.hpp"

namespace charges {
namespace {

using colour = std::array<double, 3>;

constexpr std::array<colour, 8> rank_colours{{{0.88, 0.48, 0.05},
                                              {0.10, 0.55, 0.55},
                                              {0.55, 0.35, 0.70},
                                              {0.40, 0.60, 0.15},
                                              {0.80, 0.30, 0.60},
                                              {0.55, 0.40, 0.25},
                                              {0.35, 0.35, 0.40},
                                              {0.15, 0.40, 0.85}}};

/// Mixes a colour for a part from -1 to 1: blue, white in the middle, red.
colour colour_of(double part) {
  constexpr colour red{0.70, 0.05, 0.15}, blue{0.05, 0.25, 0.60};
  const double strength = std::pow(std::min(std::abs(part), 1.0), 0.8);
  colour mixed;
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = 1 - strength * (1 - (part > 0 ? red : blue)[c]);
  return mixed;
}

/// Returns the density between four nodes.
double between(const std::vector<double>& density, std::size_t n, double x, double y) {
  const auto i = static_cast<std::size_t>(x), j = static_cast<std::size_t>(y);
  const double right = x - static_cast<double>(i), up = y - static_cast<double>(j);
  const auto at = [&](std::size_t column, std::size_t row) { return density[row % n * n + column % n]; };
  return (1 - up) * ((1 - right) * at(i, j) + right * at(i + 1, j)) +
         up * ((1 - right) * at(i, j + 1) + right * at(i + 1, j + 1));
}

/// A rectangle of dots, from the upper left corner.
class canvas {
 public:
  canvas(std::size_t width, std::size_t height) : width_(width), height_(height), dots_(3 * width * height, 255) {}
  void set(std::size_t x, std::size_t y, const colour& c) {
    for (std::size_t part = 0; part < 3; ++part)
      dots_[3 * (y * width_ + x) + part] = static_cast<std::uint8_t>(std::lround(255 * c[part]));
  }
  void write(const std::string& file) const {
    apps::write_png(file, static_cast<int>(width_), static_cast<int>(height_), dots_);
  }

 private:
  std::size_t width_, height_;
  std::vector<std::uint8_t> dots_;
};

}  // namespace

void draw(const std::string& file, const wherry::floor_plan<2>& boxes,
          const std::vector<std::vector<double>>& densities) {
  constexpr std::size_t margin = 8;
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(densities.front().size()))));
  const std::size_t scale = std::max<std::size_t>(1, 384 / n), side = n * scale;
  canvas picture(densities.size() * (side + margin) + margin, side + 2 * margin);
  for (std::size_t k = 0; k < densities.size(); ++k) {
    const std::size_t left = margin + k * (side + margin);
    double most = 0;
    for (const double value : densities[k]) most = std::max(most, std::abs(value));
    const auto dot = [&](std::size_t x, std::size_t y, const colour& c) {  // y goes up
      picture.set(left + x, margin + side - 1 - y, c);
    };
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        dot(x, y,
            colour_of(between(densities[k], n, static_cast<double>(x) / static_cast<double>(scale),
                              static_cast<double>(y) / static_cast<double>(scale)) /
                      most));
    for (int b = 0; b < boxes.size(); ++b) {
      const auto outer = refine(boxes[b], static_cast<wherry::index_t>(scale));
      const auto& c = rank_colours[static_cast<std::size_t>(boxes.owner(b)) % rank_colours.size()];
      for (const auto& part : wherry::difference(wherry::grow(outer, -1), wherry::grow(outer, -3)))
        for_each_point(part,
                       [&](const auto& p) { dot(static_cast<std::size_t>(p[0]), static_cast<std::size_t>(p[1]), c); });
    }
  }
  picture.write(file);
}

}  // namespace charges
