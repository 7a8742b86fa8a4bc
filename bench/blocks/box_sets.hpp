/// @file
/// Sets of boxes that fill a cube, for plans without fields.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "wherry/geometry/box_calculus.hpp"

namespace bench {

using wherry::index_t;
using box3 = wherry::box<3>;
using point3 = wherry::point<3>;
using box_set = std::vector<box3>;

inline box3 cube(index_t side) { return wherry::box_of_extents<3>(wherry::filled<3>(side)); }
inline index_t side_of(long count) { return std::lround(std::cbrt(static_cast<double>(count))); }

/// Makes a cube of equal cubes, of about the wanted number.
inline box_set regular(long count, index_t extent) {
  box_set result;
  for_each_point(wherry::box_of_extents<3>(wherry::filled<3>(side_of(count))), [&](const point3& p) {
    box3 b;
    for (std::size_t d = 0; d < 3; ++d) b.lower[d] = p[d] * extent, b.upper[d] = b.lower[d] + extent;
    result.push_back(b);
  });
  return result;
}

/// Cuts a cube again and again across its longest side, at 30 to 70 % of its length.
inline void cut(const box3& b, long count, std::mt19937_64& random, box_set& result) {
  if (count <= 1) return result.push_back(b);
  std::size_t d = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (b.extents()[k] > b.extents()[d]) d = k;
  const double part = 0.3 + 0.4 * static_cast<double>(random() >> 11) * 0x1p-53;
  const auto extent = static_cast<double>(b.extents()[d]);
  auto low = b, high = b;
  low.upper[d] = high.lower[d] = b.lower[d] + std::max<index_t>(1, std::llround(part * extent));
  const auto below = std::clamp<long>(std::lround(part * static_cast<double>(count)), 1, count - 1);
  cut(low, below, random, result);
  cut(high, count - below, random, result);
}
inline box_set irregular(long count, index_t mean_extent) {
  std::mt19937_64 random(7);
  box_set result;
  cut(cube(side_of(count) * mean_extent), count, random, result);
  return result;
}

}  // namespace bench
