#include "plot.hpp"

#include <algorithm>
#include <cstdio>

#include "common/distinct.hpp"
#include "common/svg.hpp"
#include "harness/text.hpp"

namespace tuning {
namespace {

constexpr int cell_width = 108, cell_height = 34, left = 160, top = 62;

std::size_t place_of(const auto& list, const auto& one) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), one) - list.begin());
}

const char* colour_of(std::size_t place) {
  constexpr const char* colours[] = {"#9ec9e9", "#a8dba8", "#fdd39b", "#d7c2ec", "#f5b7b1",
                                     "#c9e4de", "#f6e58d", "#d5dbdb", "#f9c6e0", "#b8c0ff"};
  return colours[place % std::size(colours)];
}

}  // namespace

std::string picture_of(const std::vector<finding>& found, const std::string& title) {
  const auto kinds = apps::distinct(found, [](const auto& one) { return one.what; });
  auto sizes = apps::distinct(found, [](const auto& one) { return one.bytes; });
  std::sort(sizes.begin(), sizes.end());
  auto names = apps::distinct(found, [](const auto& one) { return one.implementation; });
  names.erase(std::remove(names.begin(), names.end(), "mpi"), names.end());
  const int width = left + cell_width * static_cast<int>(sizes.size()) + 20;
  const int height = top + cell_height * static_cast<int>(kinds.size()) + 40;
  apps::svg picture(width, height, 12);
  picture.label(16, 24, "font-size=\"14\"", title);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    picture.label(left + cell_width * static_cast<int>(i) + cell_width / 2, top - 10, "text-anchor=\"middle\"",
                  apps::in_units(sizes[i]));
  for (std::size_t i = 0; i < kinds.size(); ++i)
    picture.label(left - 10, top + cell_height * static_cast<int>(i) + 21, "text-anchor=\"end\"", name_of(kinds[i]));
  for (const auto& one : found) {
    const int x = left + cell_width * static_cast<int>(place_of(sizes, one.bytes));
    const int y = top + cell_height * static_cast<int>(place_of(kinds, one.what));
    const bool is_mpi = one.implementation == "mpi";
    const char* const colour = is_mpi ? "#eeeeee" : colour_of(place_of(names, one.implementation));
    picture.rectangle(x, y, cell_width, cell_height, bench::text("stroke=\"white\" fill=\"", colour, "\""));
    char ratio[32] = "";
    std::snprintf(ratio, sizeof ratio, "%.2f", one.ratio);
    picture.label(x + cell_width / 2, y + 15, "text-anchor=\"middle\" font-size=\"10\"", one.implementation);
    if (!is_mpi) picture.label(x + cell_width / 2, y + 28, "text-anchor=\"middle\" font-size=\"11\"", ratio);
  }
  picture.label(16, height - 14, "fill=\"#606060\"", "the best of each size, and its time over that of MPI's own call");
  return picture.text();
}

}  // namespace tuning
