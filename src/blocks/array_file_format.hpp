// The format of an array file. Numbers are little endian; cells are in the byte order of the writer. Makes no MPI call.
//
//   header   192 bytes, the last 8 of which are their checksum
//   table    one entry for each box, in the order of the data: number, lower, upper, checksum
//   data     for each box its pieces: cells with dimension 0 fastest and components slowest, and their checksum
//
// Offsets follow from the table and are not stored, so that they cannot be wrong. The checksums of entries and pieces
// include the header's checksum and their own place, so that data from another file or another place is detected.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wherry/geometry/box.hpp"

namespace wherry::array_file {

inline constexpr index_t header_bytes = 192, checksum_bytes = 8, most_type_bytes = 103;
inline constexpr index_t least_piece = 1024, largest_piece = index_t{1} << 30;
/// The largest coordinate, so that sums of a few coordinates cannot overflow.
inline constexpr index_t farthest = index_t{1} << 59;

struct header {
  int dimensions = 0, components = 0, boxes = 0;
  index_t element = 0;      ///< bytes
  index_t piece = 0;        ///< boxes with more bytes are cut
  std::uint64_t stamp = 0;  ///< distinguishes files that are otherwise equal
  index_t total = 0;        ///< size of the file in bytes
  std::string type;

  index_t cell() const { return element * components; }
  index_t entry() const { return 16 + 16 * index_t{dimensions}; }
  index_t data_begin() const { return header_bytes + boxes * entry(); }
};

using header_image = std::array<std::byte, static_cast<std::size_t>(header_bytes)>;
header_image encode(const header& facts);
/// @throws error(argument) for bytes that are not a header, or a header that does not fit a file of `file_bytes` bytes.
header decode(const header_image& image, index_t file_bytes);
/// The size of the file according to its header, unchecked.
index_t total_of(const header_image& image);
/// The checksum of a header, with which all other checksums begin.
std::uint64_t seed_of(const header_image& image);
std::uint64_t checksum_at(std::uint64_t seed, index_t place, std::span<const std::byte> bytes);

template <int N> struct numbered_box {
  int number = 0;
  box<N> cells{};
};

/// Appends the entry of a box to a table. `corners` has the lower and then the upper corner.
void encode_entry(int number, std::span<const index_t> corners, index_t place, std::uint64_t seed,
                  std::vector<std::byte>& table);
/// Decodes the next entry and appends its box.
/// @throws error(argument) for a damaged entry, and for a box that the file cannot hold.
template <int N>
void decode_entry(std::span<const std::byte> entry, const header& facts, std::uint64_t seed,
                  std::vector<numbered_box<N>>& boxes);

/// Cells of a box that are adjacent in the file, followed by their checksum.
template <int N> struct piece {
  box<N> cells;
  index_t begin = 0, bytes = 0;  ///< offset in the file; size without the checksum
};

/// The cut of a box into pieces: slabs of `thickness` layers along `dimension`, and single layers in higher dimensions.
struct cut {
  std::size_t dimension = 0;
  index_t thickness = 1;
};
template <int N> cut cut_of(const box<N>& cells, const header& facts) {
  index_t layer = facts.cell();
  for (std::size_t d = 0;; ++d) {
    const index_t extent = cells.extent(static_cast<int>(d));
    if (d + 1 == N || extent > facts.piece / layer) return {d, std::max<index_t>(1, facts.piece / layer)};
    layer *= extent;
  }
}

/// Calls `visit(piece)` for each piece of a box. The box's data begin at `begin`; returns their end.
template <int N, class Visit>
index_t for_each_piece(const box<N>& cells, index_t begin, const header& facts, Visit&& visit) {
  if (cells.empty()) return begin;
  const cut how = cut_of(cells, facts);
  const std::size_t along = how.dimension;  // no structured binding, because clang 14 cannot capture one
  const index_t thickness = how.thickness;
  box<N> starts = cells;  // lower corners of the pieces, counted in slabs along the cut
  for (std::size_t d = 0; d < along; ++d) starts.upper[d] = starts.lower[d] + 1;
  starts.lower[along] = 0;
  starts.upper[along] = (cells.upper[along] - cells.lower[along] + thickness - 1) / thickness;
  for_each_point(starts, [&](const point<N>& at) {
    piece<N> p{cells, begin, 0};
    for (std::size_t d = along + 1; d < N; ++d) p.cells.upper[d] = (p.cells.lower[d] = at[d]) + 1;
    p.cells.lower[along] += at[along] * thickness;
    p.cells.upper[along] = std::min(p.cells.lower[along] + thickness, cells.upper[along]);
    p.bytes = p.cells.size() * facts.cell();
    begin += p.bytes + checksum_bytes;
    visit(static_cast<const piece<N>&>(p));
  });
  return begin;
}

/// The bytes of a box in the file, checksums included.
template <int N> index_t bytes_of(const box<N>& cells, const header& facts) {
  if (cells.empty()) return 0;
  const auto [along, thickness] = cut_of(cells, facts);
  index_t pieces = (cells.extent(static_cast<int>(along)) + thickness - 1) / thickness;
  for (std::size_t d = along + 1; d < N; ++d) pieces *= cells.extent(static_cast<int>(d));
  return cells.size() * facts.cell() + pieces * checksum_bytes;
}

}  // namespace wherry::array_file
