/// @file
/// Copying boxes of a field, as a careful user writes it: constant-size copies for rows as short as the halo, memcpy
/// for long ones, whole planes at once where they are contiguous. Part of every hand-written peer.
#pragma once

#include <cstring>

#include "halo/problem.hpp"

namespace bench::halo {

// begin: what a user writes
/// Copies extent[2] planes of extent[1] rows of extent[0] doubles; strides in doubles.
inline void copy_box(const double* from, long from_row, long from_plane, double* to, long to_row, long to_plane,
                     const triple& extent) {
  constexpr std::size_t narrow = width * sizeof(double);
  const auto row = static_cast<std::size_t>(extent[0]) * sizeof(double);
  const bool solid = extent[0] == from_row && extent[0] == to_row;
  for (int z = 0; z < extent[2]; ++z, from += from_plane, to += to_plane) {
    if (solid)
      std::memcpy(to, from, row * static_cast<std::size_t>(extent[1]));
    else if (extent[0] == width)
      for (int y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, narrow);
    else
      for (int y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, row);
  }
}

/// Appends a box of all fields to a buffer; gives the place behind it.
inline double* pack(const problem& p, const cells& box, double* buffer) {
  const long row = box.extent[0], plane = row * box.extent[1];
  for (int f = 0; f < fields; ++f, buffer += box.count())
    copy_box(p.cell(f, box.lower), p.row, p.plane, buffer, row, plane, box.extent);
  return buffer;
}

inline const double* unpack(const problem& p, const cells& box, const double* buffer) {
  const long row = box.extent[0], plane = row * box.extent[1];
  for (int f = 0; f < fields; ++f, buffer += box.count())
    copy_box(buffer, row, plane, p.cell(f, box.lower), p.row, p.plane, box.extent);
  return buffer;
}

/// Copies a box of all fields within the rank.
inline void copy_within(const problem& p, const cells& from, const cells& to) {
  for (int f = 0; f < fields; ++f)
    copy_box(p.cell(f, from.lower), p.row, p.plane, p.cell(f, to.lower), p.row, p.plane, to.extent);
}
// end

}  // namespace bench::halo
