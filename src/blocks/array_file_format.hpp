// What is where in an array file. Pure; no MPI. All numbers little endian, the cells in the writer's byte order.
//
//   header   192 bytes, the last eight their checksum
//   table    an entry a box, in the order of the data: number, lower, upper, checksum
//   data     for each box its pieces: cells with dimension 0 fastest, components slowest, and their checksum
//
// Offsets follow from the table and are not stored, so that they cannot be wrong. The checksums of entries and pieces
// begin with the header's and their own place: what belongs to another file or elsewhere is found out.
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
/// Coordinates beyond would overflow in sums of a few of them.
inline constexpr index_t farthest = index_t{1} << 59;

struct header {
  int dimensions = 0, components = 0, boxes = 0;
  index_t element = 0;      ///< bytes
  index_t piece = 0;        ///< bytes at which boxes are cut
  std::uint64_t stamp = 0;  ///< tells files apart that are alike in all else
  index_t total = 0;        ///< bytes of the file
  std::string type;

  index_t cell() const { return element * components; }
  index_t entry() const { return 16 + 16 * index_t{dimensions}; }
  index_t data_begin() const { return header_bytes + boxes * entry(); }
};

using header_image = std::array<std::byte, static_cast<std::size_t>(header_bytes)>;
header_image encode(const header& facts);
/// @throws error(argument) for whatever is no header of ours, or does not fit a file of `file_bytes`.
header decode(const header_image& image, index_t file_bytes);
/// What a header says that the file's size is, believed without a check.
index_t total_of(const header_image& image);
/// The checksum of a header: with it all others begin.
std::uint64_t seed_of(const header_image& image);
std::uint64_t checksum_at(std::uint64_t seed, index_t place, std::span<const std::byte> bytes);

template <int N> struct numbered_box {
  int number = 0;
  box<N> cells{};
};

/// Appends the entry of a box to a table. `corners`: lower, then upper.
void encode_entry(int number, std::span<const index_t> corners, index_t place, std::uint64_t seed,
                  std::vector<std::byte>& table);
/// Appends the box of the next entry.
/// @throws error(argument) for a damaged one, and for a box that the file cannot hold.
template <int N>
void decode_entry(std::span<const std::byte> entry, const header& facts, std::uint64_t seed,
                  std::vector<numbered_box<N>>& boxes);

/// Some of the cells of a box that are one after the other in the file, followed by their checksum.
template <int N> struct piece {
  box<N> cells;
  index_t begin = 0, bytes = 0;  ///< in the file; without the checksum
};

/// How a box is cut: single layers in the dimensions above `dimension`, slabs of `thickness` along it.
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

/// Calls `visit(piece)` for each piece of a box whose data begin at `begin`, and returns where they end.
template <int N, class Visit>
index_t for_each_piece(const box<N>& cells, index_t begin, const header& facts, Visit&& visit) {
  if (cells.empty()) return begin;
  const cut how = cut_of(cells, facts);
  const std::size_t along = how.dimension;  // names of their own: clang 14 captures no bindings
  const index_t thickness = how.thickness;
  box<N> starts = cells;  // of the pieces, counted in slabs along the cut
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

/// Bytes of a box in the file.
template <int N> index_t bytes_of(const box<N>& cells, const header& facts) {
  if (cells.empty()) return 0;
  const auto [along, thickness] = cut_of(cells, facts);
  index_t pieces = (cells.extent(static_cast<int>(along)) + thickness - 1) / thickness;
  for (std::size_t d = along + 1; d < N; ++d) pieces *= cells.extent(static_cast<int>(d));
  return cells.size() * facts.cell() + pieces * checksum_bytes;
}

}  // namespace wherry::array_file
