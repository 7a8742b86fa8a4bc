/// @file
/// Where the values of an array over index domains are, with element type and domain erased.
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
  int number = 0;      ///< in the floor plan
  int field = 0;       ///< which of the array's pieces of memory
  index_t offset = 0;  ///< bytes from that memory to the first value
  index_t points = 0;
};

struct index_array_shape {
  index_t element = 1;  ///< bytes
  element_type type{};  ///< what an element consists of
  index_t stride = 1;   ///< bytes from a point to the next
  int components = 1;
  bool interleaved = true;  ///< the components of a point stand together
  std::string name;
  memory_space space = memory_space::host;
  std::vector<placed_part> parts;  ///< this rank's, ascending by number
  std::vector<index_t> bytes;      ///< of each piece of memory; 0: not known
  std::uint64_t fingerprint = 0;   ///< equal for arrays whose values are in the same places

  /// This rank's part of that number, or null.
  const placed_part* find(int number) const;
  /// Of all parts, in their order.
  std::vector<piece_range> ranges() const;
  index_t component_stride(const placed_part& part) const { return interleaved ? element : part.points * element; }
};

/// Gives every part its place in one piece of memory. `parts` has numbers and points.
void place_parts(index_array_shape& shape);

/// What `index_array_shape::fingerprint` must be; `covers` stands for the domains.
std::uint64_t fingerprint_of(const index_array_shape& shape, std::uint64_t covers);
array_figures figures_of(const index_array_shape& shape);

/// One entry of a motion plan that this rank takes part in, with places instead of points.
struct placed_motion {
  int from = 0, to = 0;
  int source_rank = 0, destination_rank = 0;
  index_t points = 0;
  section_places source, destination;  ///< among the part's points; only on the ranks that own the part
};

/// The entries of a stage that the rank takes part in. May throw.
using placing_function = std::function<std::vector<placed_motion>(std::size_t stage, const inspection& how)>;
/// @param word of the builders
/// @param floors of each array's floor plan the fingerprint
erased_motion erase(std::size_t stages, std::uint64_t word, placing_function places, const index_array_shape& source,
                    const index_array_shape& destination, std::pair<std::uint64_t, std::uint64_t> floors);

}  // namespace wherry::detail
