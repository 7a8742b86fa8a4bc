// The planner of index lists, for arrays that travel together over lists of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wherry/halo/index_lists.hpp"

namespace wherry {

/// The direction in which elements travel, and the name of the pattern in texts.
struct index_way {
  std::string pattern;
  bool reverse = false;     ///< ghosts travel to their owners
  bool gives_back = false;  ///< the owners' elements then travel to the ghosts, in a second stage
};

/// Makes the schedule of `rank`, as `plan_indices` of one list for all arrays does (wherry/halo/index_lists.hpp).
/// @param lists one for each array
plans::schedule plan_indices(std::span<const index_lists* const> lists, std::span<const detail::index_field> fields,
                             const index_way& way, const plans::field_operations& operations, int rank,
                             std::int64_t packet_bytes);

}  // namespace wherry
