// Random blocks of a schedule, and where their elements are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "wherry/plan/schedule.hpp"

#include "support/random.hpp"

namespace wherry_test {

using wherry::plans::block;

using bytes = std::vector<std::byte>;
using offsets = std::vector<std::int64_t>;

// A block, and where its elements are, in wire order.
struct known_block {
  block what;
  offsets elements;
};

inline bytes random_bytes(random_numbers& random, std::size_t count) {
  bytes result(count);
  for (auto& b : result) b = static_cast<std::byte>(random.next());
  return result;
}

inline std::vector<std::int64_t> random_extents(random_numbers& random, int most_cells) {
  std::vector<std::int64_t> extents;
  std::int64_t cells = 1;
  for (int d = random.between(0, wherry::plans::max_block_rank); d > 0; --d) {
    const auto extent = random.between(1, static_cast<int>(std::clamp<std::int64_t>(most_cells / cells, 1, 40)));
    extents.push_back(extent);
    cells *= extent;
  }
  if (random.chance(3) && !extents.empty()) extents[0] = 0;
  return extents;
}

// An array of these extents, its dimensions in any order of strides, with gaps and backwards at random. Moves `size`,
// the end of the field's memory, to where the array ends. What is not a multiple of the element is one of `unit`.
inline known_block random_strided(random_numbers& random, std::int32_t field, std::int64_t element,
                                  const std::vector<std::int64_t>& extents, std::int64_t& size, std::int64_t unit = 1) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  if (random.chance(60)) random.shuffle(order);
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t next = element, start = size + unit * random.between(0, 9);
  const bool gaps = random.chance(60);
  for (const auto d : order) {
    strides[d] = next;
    next *= std::max<std::int64_t>(1, extents[d]) + (gaps ? random.between(0, 2) : 0);
    if (gaps && random.chance(20)) next += unit * random.between(1, 3);  // not a multiple of the element
  }
  size = start + next;
  for (const auto d : order)
    if (random.chance(8) && extents[d] > 0) start += strides[d] * (extents[d] - 1), strides[d] = -strides[d];

  known_block result{wherry::plans::strided_block(field, element, start, extents, strides), {}};
  const auto cells = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t i = 0; i < cells; ++i) {
    std::int64_t at = start, rest = i;
    for (std::size_t d = 0; d < extents.size(); ++d) at += rest % extents[d] * strides[d], rest /= extents[d];
    result.elements.push_back(at);
  }
  return result;
}

inline known_block random_indexed(random_numbers& random, std::int32_t field, std::int64_t element, std::int64_t count,
                                  std::int64_t& size, wherry::plans::schedule& plan, std::int64_t gap = 1) {
  known_block result;
  const std::int64_t unit = gap == 0 ? element : element + gap;
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < count; ++i) places.push_back(i);
  if (random.chance(50)) random.shuffle(places);
  result.what = wherry::plans::indexed_block(field, element, plan.indices.add(places), count, unit);
  result.what.offset = size;
  for (const auto place : places) result.elements.push_back(size + place * unit);
  size += count * unit;
  return result;
}

inline int random_element(random_numbers& random) {
  return random.chance(60) ? random.one_of({1, 2, 4, 8, 16}) : random.between(1, 64);
}

}  // namespace wherry_test
