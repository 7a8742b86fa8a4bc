// Domains as a user may define them, and what every one of its points is, found the plainest way.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "wherry/motion/index_domain.hpp"

#include "support/random.hpp"

namespace wherry_test {

using wherry::index_set;
using wherry::index_t;
using wherry::detail::index_run;

// The upper triangle {(i, j): first ≤ i ≤ j < last} of a matrix, column by column. Travels as bytes.
struct triangle {
  index_t first = 0, last = 0;

  index_t size() const { return first < last ? (last - first) * (last - first + 1) / 2 : 0; }
  std::vector<wherry::box<2>> cover() const { return {{{first, first}, {last, last}}}; }
  template <class Visit> void for_each_place(const triangle& section, Visit&& visit) const {
    for (index_t j = section.first; j < section.last; ++j)
      visit((j - first) * (j - first + 1) / 2 + section.first - first, j - section.first + 1);
  }
};
inline triangle intersection(const triangle& a, const triangle& b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

// Cells of a mesh with a column of values each. A point is (cell, level), levels fastest; in memory they stand level by
// level.
struct columns {
  index_set cells;
  index_t levels = 0;

  index_t size() const { return cells.size() * levels; }
  std::vector<wherry::box<2>> cover() const {
    std::vector<wherry::box<2>> boxes;
    for (const auto& run : cells.runs()) boxes.push_back({{run.first, 0}, {run.first + run.count, levels}});
    return boxes;
  }
  static columns from_cover(std::span<const wherry::box<2>> boxes) {
    std::vector<index_run> runs;
    for (const auto& b : boxes) runs.push_back({b.lower[0], b.extent(0)});
    return {index_set(std::move(runs)), boxes.empty() ? 0 : boxes.front().upper[1]};
  }
  template <class Visit> void for_each_place(const columns& section, Visit&& visit) const {
    for (const index_t name : section.cells)
      for (index_t k = 0; k < section.levels; ++k) visit(k * cells.size() + cells.place_of(name), index_t{1});
  }
};
inline columns intersection(const columns& a, const columns& b) {
  return {intersection(a.cells, b.cells), std::min(a.levels, b.levels)};
}

static_assert(wherry::index_domain<triangle> && wherry::index_domain<columns>);
static_assert(!wherry::index_domain<wherry::box<2>> && !wherry::index_domain<std::vector<int>>);

// A point of a domain, and where it stands in memory.
struct site {
  std::array<index_t, 2> point{};
  index_t place = 0;
};

// In the domain's order.
inline std::vector<site> sites_of(const index_set& set) {
  std::vector<site> sites;
  for (const index_t m : set) sites.push_back({{m, 0}, std::ssize(sites)});
  return sites;
}
inline std::vector<site> sites_of(const triangle& t) {
  std::vector<site> sites;
  for (index_t j = t.first; j < t.last; ++j)
    for (index_t i = t.first; i <= j; ++i) sites.push_back({{i, j}, std::ssize(sites)});
  return sites;
}
inline std::vector<site> sites_of(const columns& c) {
  std::vector<site> sites;
  index_t place = 0;
  for (const index_t name : c.cells) {
    for (index_t k = 0; k < c.levels; ++k) sites.push_back({{name, k}, k * c.cells.size() + place});
    ++place;
  }
  return sites;
}

inline index_set random_set(random_numbers& random, int most_pieces = 10) {
  std::vector<index_run> runs;
  for (int i = random.between(0, most_pieces); i > 0; --i)
    runs.push_back({random.between(-40, 80), random.chance(40) ? 1 : random.between(1, 12)});
  return index_set(std::move(runs));
}

inline void make_random(index_set& set, random_numbers& random) { set = random_set(random); }
inline void make_random(triangle& t, random_numbers& random) {
  t.first = random.between(-5, 12);
  t.last = t.first + random.between(0, 9);
}
inline void make_random(columns& c, random_numbers& random) {
  c.cells = random_set(random, 5);
  c.levels = random.between(1, 4);
}

}  // namespace wherry_test
