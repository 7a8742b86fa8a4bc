/// @file
/// The 26 sections of a cube's halo and the code that copies them, shared by the hand-written peers.
#pragma once

#include <cstring>

#include "blocks/cubes.hpp"

namespace bench::blocks {

/// One direction: the ghost cells, and the neighbour's cells that they copy.
struct section {
  triple direction{}, from{}, to{}, extent{};
  long count() const { return static_cast<long>(extent[0]) * extent[1] * extent[2]; }
};

// begin: what a user writes (both)
inline std::vector<section> sections(const cubes& work) {
  std::vector<section> all;
  const int w = work.width, b = work.b;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        if (x == 0 && y == 0 && z == 0) continue;
        section s;
        s.direction = {x, y, z};
        for (std::size_t d = 0; d < 3; ++d) {
          const int way = s.direction[d];
          s.extent[d] = way == 0 ? b : w;
          s.to[d] = way < 0 ? 0 : way > 0 ? w + b : w;
          s.from[d] = way < 0 ? b : w;
        }
        all.push_back(s);
      }
  return all;
}

template <int Row> void copy_narrow(const double* from, long from_row, double* to, long to_row, int rows) {
  for (int y = 0; y < rows; ++y) std::memcpy(to + y * to_row, from + y * from_row, Row * sizeof(double));
}

/// Copies extent[2] planes of extent[1] rows of extent[0] doubles.
inline void copy_section(const double* from, long from_row, long from_plane, double* to, long to_row, long to_plane,
                         const triple& extent) {
  for (int z = 0; z < extent[2]; ++z, from += from_plane, to += to_plane) {
    if (extent[0] == 1)
      copy_narrow<1>(from, from_row, to, to_row, extent[1]);
    else if (extent[0] == 3)
      copy_narrow<3>(from, from_row, to, to_row, extent[1]);
    else
      for (int y = 0; y < extent[1]; ++y)
        std::memcpy(to + y * to_row, from + y * from_row, static_cast<std::size_t>(extent[0]) * sizeof(double));
  }
}
// end

}  // namespace bench::blocks
