// Cuts a dimension as evenly as possible.
#pragma once

#include <algorithm>

#include "wherry/geometry/point.hpp"

namespace wherry {

/// The begin of piece `i` of a dimension, which is the end of the piece before. The first pieces are one cell longer if
/// the extent is not a multiple of `pieces`.
/// @param extent at least 0
/// @param i from 0 to `pieces`
constexpr index_t even_cut(index_t extent, index_t pieces, index_t i) {
  return i * (extent / pieces) + std::min(i, extent % pieces);
}

}  // namespace wherry
