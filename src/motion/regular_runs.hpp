// Finds out whether a list of places is a section of an array, so that loops can replace the list.
#pragma once

#include <optional>
#include <vector>

#include "wherry/motion/section_places.hpp"
#include "wherry/plan/block.hpp"

namespace wherry {

/// Nested loops that visit the same places in the same order, innermost first, with strides in places. A face of a cube
/// gives two loops, and an empty list gives none. Returns nothing if there are no such loops, or if a place comes twice
/// in a row.
std::optional<std::vector<plans::block_loop>> regular_loops(const detail::section_places& places);

}  // namespace wherry
