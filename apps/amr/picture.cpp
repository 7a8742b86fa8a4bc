#include "picture.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace amr {
namespace {

constexpr index_t pixels = 4;  // a finest cell's side

using colour = std::array<double, 3>;

/// Returns a colour, from white over yellow and red to dark violet.
colour colour_of(double value) {
  constexpr std::array<colour, 5> stops{
      {{1, 1, 1}, {0.99, 0.88, 0.56}, {0.96, 0.55, 0.29}, {0.75, 0.16, 0.35}, {0.25, 0.03, 0.33}}};
  const double at = std::clamp(value, 0.0, 1.0) * (stops.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double t = at - static_cast<double>(k);
  colour mixed{};
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = (1 - t) * stops[k][c] + t * stops[k + 1][c];
  return mixed;
}

/// Gathers a level in one box on rank 0; the box is zero where the level has no blocks.
array2 on_rank_0(const level& l) {
  wherry::floor_plan<2> whole;
  whole.add(l.space.cells, 0);
  array2 all(l.u.comm(), whole);
  wherry::mover gather(redistribution(l.plan(), whole), l.u, all);
  gather();
  return all;
}

class canvas {
 public:
  explicit canvas(index_t side) : side_(side), dots_(static_cast<std::size_t>(side * side)) {}

  void fill(const box2& area, const colour& c) {
    for_each_point(area, [&](const point2& p) { set(p, c); });
  }
  void outline(const box2& area, index_t width, const colour& c) {
    for (const auto& part : wherry::difference(area, wherry::grow(area, -width))) fill(part, c);
  }
  void write(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    out << "P6\n" << side_ << ' ' << side_ << "\n255\n";
    for (const auto& dot : dots_)
      for (const double part : dot) out.put(static_cast<char>(std::lround(255 * part)));
    if (!out) throw std::runtime_error("cannot write '" + file + "'");
  }

 private:
  void set(const point2& p, const colour& c) {
    dots_[static_cast<std::size_t>((side_ - 1 - p[1]) * side_ + p[0])] = c;  // y goes up
  }
  index_t side_;
  std::vector<colour> dots_;
};

void paint(canvas& picture, const wherry::floor_plan<2>& plan, const array2& values, index_t size) {
  for (const auto& b : plan.boxes())
    for_each_point(b, [&](const point2& p) {
      picture.fill(refine(box2{p, {p[0] + 1, p[1] + 1}}, size), colour_of(values[0][p]));
    });
}

}  // namespace

void draw(const hierarchy& h, const std::string& file) {
  constexpr std::array<colour, 3> lines{{{0, 0.45, 0.7}, {0.6, 0.6, 0.6}, {0, 0.6, 0.3}}};
  const auto& levels = h.levels();
  index_t size = pixels << (levels.size() - 1);
  const bool draws = h.levels().front()->u.comm().rank() == 0;
  canvas picture(draws ? levels.front()->space.cells.extent(0) * size : 0);
  for (std::size_t i = 0; i < levels.size(); ++i, size /= ratio) {
    const auto values = on_rank_0(*levels[i]);
    if (!draws) continue;
    paint(picture, levels[i]->plan(), values, size);
    for (const auto& b : levels[i]->plan().boxes())
      picture.outline(refine(b, size), i == 0 ? 1 : 2, lines[(levels.size() - i - 1) % lines.size()]);
  }
  if (draws) picture.write(file);
}

}  // namespace amr
