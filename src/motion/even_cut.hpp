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

/// The piece that has cell `x` of a dimension, from 0 to `extent` - 1.
constexpr index_t even_piece(index_t extent, index_t pieces, index_t x) {
  const auto short_piece = extent / pieces, long_pieces = extent % pieces;
  const auto in_long_pieces = long_pieces * (short_piece + 1);
  return x < in_long_pieces ? x / (short_piece + 1) : long_pieces + (x - in_long_pieces) / short_piece;
}

}  // namespace wherry
