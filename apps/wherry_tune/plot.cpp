#include "plot.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/text.hpp"

namespace tuning {
namespace {

constexpr int cell_width = 108, cell_height = 34, left = 160, top = 62;

/// Each name once, in the order in which they come.
template <class List, class Of> auto distinct(const List& list, Of of) {
  std::vector<decltype(of(list.front()))> all;
  for (const auto& one : list)
    if (std::find(all.begin(), all.end(), of(one)) == all.end()) all.push_back(of(one));
  return all;
}

std::size_t place_of(const auto& list, const auto& one) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), one) - list.begin());
}

std::string in_units(int bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return bench::text(bytes >> 20, " MiB");
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return bench::text(bytes >> 10, " KiB");
  return bench::text(bytes, " B");
}

std::string escaped(const std::string& words) {
  std::string result;
  for (const char letter : words) result += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
  return result;
}

std::string label(int x, int y, const char* more, const std::string& words) {
  return bench::text("<text x=\"", x, "\" y=\"", y, "\" ", more, ">", escaped(words), "</text>\n");
}

const char* colour_of(std::size_t place) {
  constexpr const char* colours[] = {"#9ec9e9", "#a8dba8", "#fdd39b", "#d7c2ec", "#f5b7b1",
                                     "#c9e4de", "#f6e58d", "#d5dbdb", "#f9c6e0", "#b8c0ff"};
  return colours[place % std::size(colours)];
}

}  // namespace

std::string picture_of(const std::vector<finding>& found, const std::string& title) {
  const auto kinds = distinct(found, [](const auto& one) { return one.what; });
  auto sizes = distinct(found, [](const auto& one) { return one.bytes; });
  std::sort(sizes.begin(), sizes.end());
  auto names = distinct(found, [](const auto& one) { return one.implementation; });
  names.erase(std::remove(names.begin(), names.end(), "mpi"), names.end());
  const int width = left + cell_width * static_cast<int>(sizes.size()) + 20;
  const int height = top + cell_height * static_cast<int>(kinds.size()) + 40;
  std::string svg = bench::text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
      "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  svg += label(16, 24, "font-size=\"14\"", title);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    svg += label(left + cell_width * static_cast<int>(i) + cell_width / 2, top - 10, "text-anchor=\"middle\"",
                 in_units(sizes[i]));
  for (std::size_t i = 0; i < kinds.size(); ++i)
    svg += label(left - 10, top + cell_height * static_cast<int>(i) + 21, "text-anchor=\"end\"",
                 std::string(name_of(kinds[i])));
  for (const auto& one : found) {
    const int x = left + cell_width * static_cast<int>(place_of(sizes, one.bytes));
    const int y = top + cell_height * static_cast<int>(place_of(kinds, one.what));
    const bool is_mpi = one.implementation == "mpi";
    svg += bench::text("<rect x=\"", x, "\" y=\"", y, "\" width=\"", cell_width, "\" height=\"", cell_height,
                       "\" stroke=\"white\" fill=\"",
                       is_mpi ? "#eeeeee" : colour_of(place_of(names, one.implementation)), "\"/>\n");
    char ratio[32] = "";
    std::snprintf(ratio, sizeof ratio, "%.2f", one.ratio);
    svg += label(x + cell_width / 2, y + 15, "text-anchor=\"middle\" font-size=\"10\"", one.implementation);
    if (!is_mpi) svg += label(x + cell_width / 2, y + 28, "text-anchor=\"middle\" font-size=\"11\"", ratio);
  }
  svg += label(16, height - 14, "fill=\"#606060\"", "the best of each size, and its time over that of MPI's own call");
  return svg + "</svg>\n";
}

}  // namespace tuning
