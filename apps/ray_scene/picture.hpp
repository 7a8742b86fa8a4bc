/// @file
/// A picture in tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "scene.hpp"

namespace ray_scene {

using bytes = std::vector<std::uint8_t>;

struct picture_size {
  int width, height;
  int samples = 2;  ///< rays for each dot, along each axis
};

/// A square of dots, which may be smaller at the right and the lower edge.
struct tile {
  int x = 0, y = 0, width = 0, height = 0;
  bytes dots;  ///< rows from the top, red, green, blue
  bool operator==(const tile&) const = default;
};

/// Makes all tiles of a picture, without their dots, beginning at the upper left.
std::vector<tile> cut_into_tiles(const picture_size& size, int side = 16);

/// Fills the tile's dots. The result has the same bits on every rank.
void render(const scene& s, const picture_size& size, tile& into);

/// Assembles all dots of the picture.
bytes put_together(const picture_size& size, const std::vector<tile>& tiles);

}  // namespace ray_scene
