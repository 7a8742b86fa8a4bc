#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/distinct.hpp"
#include "common/svg.hpp"
#include "harness/text.hpp"

namespace overlap {
namespace {

constexpr double chart_width = 340, chart_height = 210, left = 62, top = 64, gap = 48, legend_width = 170;
constexpr double least_width = 860;  // for the lines above and below

/// The figure that one row of charts shows, and its scale. Points beyond the scale are drawn hollow at its edge.
struct scale {
  const char* name;
  double finding::* figure;
  double least, most;
  std::vector<double> ticks;
  double emphasised;  ///< the value at which nothing is gained
};

const std::vector<scale>& scales() {
  static const std::vector<scale> both{
      {"ovl% = 100 (C + N - T) / min(C, N)", &finding::percent, -100, 100, {-100, -50, 0, 50, 100}, 0},
      {"T / (C_clean + N)", &finding::honest, 0.4, 1.8, {0.5, 1, 1.5}, 1}};
  return both;
}

const char* colour_of(std::size_t place) {
  constexpr const char* colours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                     "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
  return colours[place % std::size(colours)];
}

/// One pair of axes: the sizes are logarithmic, and the figures linear.
class chart {
 public:
  chart(apps::svg& picture, double x, double y, const scale& of, const std::vector<int>& sizes)
      : picture_(picture), x_(x), y_(y), of_(of), sizes_(sizes) {}

  void draw_axes() {
    picture_.rectangle(x_, y_, chart_width, chart_height, "fill=\"none\" stroke=\"#808080\"");
    picture_.label(x_, y_ - 6, "font-size=\"11\"", of_.name);
    for (const double tick : of_.ticks) {
      const double y = y_of(tick);
      picture_.line({{x_, y}, {x_ + chart_width, y}},
                    tick == of_.emphasised ? "stroke=\"#808080\"" : "stroke=\"#dddddd\"");
      picture_.label(x_ - 6, y + 4, "text-anchor=\"end\" font-size=\"10\"", bench::text(tick));
    }
    double free_from = 0;  // so that labels do not overlap
    for (const int bytes : sizes_) {
      const double x = x_of(bytes);
      if (x < free_from) continue;
      picture_.label(x, y_ + chart_height + 14, "text-anchor=\"middle\" font-size=\"10\"", apps::in_units(bytes));
      free_from = x + 52;
    }
  }

  /// @param mine by size
  void draw_line(const std::vector<finding>& mine, const char* colour) {
    std::vector<std::pair<double, double>> points;
    std::vector<const char*> fill;
    for (const auto& one : mine) {
      const double figure = one.*of_.figure;
      if (!std::isfinite(figure)) continue;
      const double shown = std::clamp(figure, of_.least, of_.most);
      points.emplace_back(x_of(one.bytes), y_of(shown));
      fill.push_back(shown == figure ? colour : "white");
    }
    picture_.line(points, bench::text("stroke=\"", colour, "\" stroke-width=\"1.4\""));
    for (std::size_t i = 0; i < points.size(); ++i)
      picture_.circle(points[i].first, points[i].second, 3,
                      bench::text("stroke=\"", colour, "\" fill=\"", fill[i], "\""));
  }

 private:
  double x_of(int bytes) const {
    if (sizes_.size() == 1) return x_ + chart_width / 2;
    const double first = std::log2(sizes_.front()), last = std::log2(sizes_.back());
    return x_ + 16 + (chart_width - 32) * (std::log2(bytes) - first) / (last - first);
  }
  double y_of(double figure) const { return y_ + chart_height * (of_.most - figure) / (of_.most - of_.least); }

  apps::svg& picture_;
  double x_, y_;
  const scale& of_;
  const std::vector<int>& sizes_;
};

std::vector<finding> of_line(const std::vector<finding>& found, wherry::collective::kind what, const std::string& by) {
  std::vector<finding> mine;
  for (const auto& one : found)
    if (one.what == what && one.implementation == by) mine.push_back(one);
  std::sort(mine.begin(), mine.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return mine;
}

void draw_legend(apps::svg& picture, double x, const std::vector<std::string>& names) {
  double y = top + 10;
  for (std::size_t i = 0; i < names.size(); ++i, y += 18) {
    picture.line({{x, y - 4}, {x + 22, y - 4}}, bench::text("stroke=\"", colour_of(i), "\" stroke-width=\"2\""));
    picture.label(x + 28, y, "", names[i]);
  }
}

}  // namespace

std::string picture_of(const std::vector<finding>& found, const std::string& title) {
  const auto kinds = apps::distinct(found, [](const auto& one) { return one.what; });
  const auto names = apps::distinct(found, [](const auto& one) { return one.implementation; });
  auto sizes = apps::distinct(found, [](const auto& one) { return one.bytes; });
  std::sort(sizes.begin(), sizes.end());
  const double width_of_column = left + chart_width, height_of_row = chart_height + gap;
  const double width = std::max(least_width, width_of_column * static_cast<double>(kinds.size()) + legend_width);
  const double height = top + height_of_row * static_cast<double>(scales().size()) + 20;
  apps::svg picture(width, height, 12);
  picture.label(16, 22, "font-size=\"14\"", title);
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    const double x = left + width_of_column * static_cast<double>(column);
    picture.label(x + chart_width / 2, top - 20, "text-anchor=\"middle\" font-weight=\"bold\"", name_of(kinds[column]));
    for (std::size_t row = 0; row < scales().size(); ++row) {
      chart one(picture, x, top + height_of_row * static_cast<double>(row), scales()[row], sizes);
      one.draw_axes();
      for (std::size_t i = 0; i < names.size(); ++i)
        one.draw_line(of_line(found, kinds[column], names[i]), colour_of(i));
    }
  }
  draw_legend(picture, width_of_column * static_cast<double>(kinds.size()) + 20, names);
  picture.label(16, height - 12, "fill=\"#606060\"",
                "C computes alone, N is the collective alone, T both; C_clean: before anything else ran; hollow: "
                "beyond the scale");
  return picture.text();
}

}  // namespace overlap
