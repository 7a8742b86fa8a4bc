/// @file
/// Describes where the values of an index array lie in memory, without its element type and its domain, so that the
/// code of movers is compiled once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/motion/movement.hpp"
#include "wherry/motion/section_places.hpp"

namespace wherry::detail {

/// One part of this rank.
struct placed_part {
  int number = 0;      ///< the part's number in the floor plan
  int field = 0;       ///< index of the array's piece of memory that holds the part
  index_t offset = 0;  ///< bytes from the start of that memory to the first value
  index_t points = 0;
};

/// The shape of an index array on this rank: its options, and the place of each of its parts.
struct index_array_shape {
  index_t element = 1;         ///< bytes
  plans::element_type type{};  ///< kind and bytes of the numbers in an element
  index_t stride = 1;          ///< bytes from one point to the next
  int components = 1;
  bool interleaved = true;  ///< the components of a point are adjacent
  std::string name;
  memory_space space = memory_space::host;
  std::vector<placed_part> parts;  ///< the parts of this rank, ascending by number
  std::vector<index_t> bytes;      ///< the size of each piece of memory; 0 if it is not known
  std::uint64_t fingerprint = 0;   ///< equal for arrays whose values are in the same places

  /// The part with this number, or null if this rank does not own it.
  const placed_part* find(int number) const;
  /// The ranges of all parts, in the order of `parts`.
  std::vector<piece_range> ranges() const;
  index_t component_stride(const placed_part& part) const { return interleaved ? element : part.points * element; }
};

/// Gives every part its place in one piece of memory. Reads the numbers and points of `parts`.
void place_parts(index_array_shape& shape);

/// Computes `index_array_shape::fingerprint`. `covers` is a hash of the domains' covers.
std::uint64_t fingerprint_of(const index_array_shape& shape, std::uint64_t covers);
array_figures figures_of(const index_array_shape& shape);

/// An entry of a motion plan that this rank takes part in, with places in memory instead of points.
struct placed_motion {
  int from = 0, to = 0;
  int source_rank = 0, destination_rank = 0;
  index_t points = 0;
  section_places source, destination;  ///< places within the part; empty on ranks that do not own the part
};

/// Returns the entries of a stage that the rank takes part in. May throw.
using placing_function = std::function<std::vector<placed_motion>(std::size_t stage, const inspection& options)>;
/// Makes the erased form of a motion between index arrays.
/// @param word a hash of the builders' arguments
/// @param floors the fingerprints of the source's and of the destination's floor plan
erased_motion erase(std::size_t stages, std::uint64_t word, placing_function places, const index_array_shape& source,
                    const index_array_shape& destination, std::pair<std::uint64_t, std::uint64_t> floors);

}  // namespace wherry::detail
