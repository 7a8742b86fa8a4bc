// Where a dimension is cut as evenly as can be.
#pragma once

#include <algorithm>

#include "wherry/geometry/point.hpp"

namespace wherry {

/// Where piece `i` of a dimension begins, and the one before it ends: the first pieces have one cell more.
/// @param extent at least 0
/// @param i from 0 to `pieces`
constexpr index_t even_cut(index_t extent, index_t pieces, index_t i) {
  return i * (extent / pieces) + std::min(i, extent % pieces);
}

}  // namespace wherry
