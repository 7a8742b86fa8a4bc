/// @file
/// Copies boxes of a field like the code of a careful user: with a constant size for rows as short as the halo, by
/// memcpy for long rows, and whole planes at once if they are contiguous. Every hand-written peer uses it.
#pragma once

#include <cstring>

#include "halo/problem.hpp"

namespace bench::halo {

// begin: what a user writes
template <std::size_t Row>
void copy_narrow(const char* from, long from_row, long from_plane, char* to, long to_row, long to_plane,
                 const triple& extent) {
  for (int z = 0; z < extent[2]; ++z, from += from_plane, to += to_plane)
    for (int y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, Row);
}

/// Copies extent[2] planes of extent[1] rows of `row` bytes; strides in bytes.
inline void copy_box(const char* from, long from_row, long from_plane, char* to, long to_row, long to_plane, long row,
                     const triple& extent) {
  switch (row) {  // one, two, three floats or doubles
    case 4:
      return copy_narrow<4>(from, from_row, from_plane, to, to_row, to_plane, extent);
    case 8:
      return copy_narrow<8>(from, from_row, from_plane, to, to_row, to_plane, extent);
    case 12:
      return copy_narrow<12>(from, from_row, from_plane, to, to_row, to_plane, extent);
    case 16:
      return copy_narrow<16>(from, from_row, from_plane, to, to_row, to_plane, extent);
    case 24:
      return copy_narrow<24>(from, from_row, from_plane, to, to_row, to_plane, extent);
    default:
      break;
  }
  const bool solid = row == from_row && row == to_row;
  const auto bytes = static_cast<std::size_t>(row);
  for (int z = 0; z < extent[2]; ++z, from += from_plane, to += to_plane) {
    if (solid)
      std::memcpy(to, from, bytes * static_cast<std::size_t>(extent[1]));
    else
      for (int y = 0; y < extent[1]; ++y) std::memcpy(to + y * to_row, from + y * from_row, bytes);
  }
}

/// Appends a box of all fields to a buffer, and returns the place behind it.
inline char* pack(const problem& p, const cells& box, char* buffer) {
  const long row = box.extent[0] * p.element, plane = row * box.extent[1];
  for (std::size_t f = 0; f < p.field.size(); ++f, buffer += plane * box.extent[2])
    copy_box(p.cell(f, box.lower), p.row, p.plane, buffer, row, plane, row, box.extent);
  return buffer;
}

inline const char* unpack(const problem& p, const cells& box, const char* buffer) {
  const long row = box.extent[0] * p.element, plane = row * box.extent[1];
  for (std::size_t f = 0; f < p.field.size(); ++f, buffer += plane * box.extent[2])
    copy_box(buffer, row, plane, p.cell(f, box.lower), p.row, p.plane, row, box.extent);
  return buffer;
}

/// Copies a box of all fields within the rank.
inline void copy_within(const problem& p, const cells& from, const cells& to) {
  for (std::size_t f = 0; f < p.field.size(); ++f)
    copy_box(p.cell(f, from.lower), p.row, p.plane, p.cell(f, to.lower), p.row, p.plane, to.extent[0] * p.element,
             to.extent);
}
// end

}  // namespace bench::halo
