#include "picture.hpp"

#include <algorithm>

#include "common/svg.hpp"
#include "harness/text.hpp"

namespace planning {
namespace {

constexpr double side = 720, margin = 16, top = 40;

/// Returns a colour for a number. Consecutive numbers have very different colours.
std::string colour_of(int node) {
  const int hue = static_cast<int>((static_cast<unsigned>(node) * 137u) % 360u);
  return bench::text("hsl(", hue, ",55%,", 72 + static_cast<int>(static_cast<unsigned>(node) / 360u % 3u) * 6, "%)");
}

}  // namespace

std::string picture_of(const std::vector<tile>& tiles, const std::string& title) {
  double right = 1, bottom = 1;
  for (const auto& t : tiles) {
    right = std::max(right, t.x + t.width);
    bottom = std::max(bottom, t.y + t.height);
  }
  const double scale = side / std::max(right, bottom);
  const bool says_rank = tiles.size() <= 400;
  apps::svg picture(right * scale + 2 * margin, bottom * scale + top + margin, 11);
  picture.label(margin, 24, "font-size=\"14\"", title);
  for (const auto& t : tiles) {
    const double x = margin + t.x * scale, y = top + t.y * scale;
    picture.rectangle(x, y, t.width * scale, t.height * scale,
                      bench::text("fill=\"", colour_of(t.node), "\" stroke=\"", t.worst ? "#c00000" : "#606060",
                                  "\" stroke-width=\"", t.worst ? 3 : 0.5, "\""));
    if (says_rank)
      picture.label(x + t.width * scale / 2, y + t.height * scale / 2 + 4, "text-anchor=\"middle\"",
                    bench::text(t.rank));
  }
  return picture.text();
}

}  // namespace planning
