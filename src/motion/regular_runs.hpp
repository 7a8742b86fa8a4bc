// Is a list of places a section of an array? Then no list is needed.
#pragma once

#include <optional>
#include <vector>

#include "wherry/motion/section_places.hpp"
#include "wherry/plan/block.hpp"

namespace wherry {

/// Nested loops that visit the same places in the same order, innermost first, strides in places; empty for no places.
/// A face of a cube is two of them. Nothing where there are none, and for places that come twice in a row.
std::optional<std::vector<block_loop>> regular_loops(const detail::section_places& places);

}  // namespace wherry
