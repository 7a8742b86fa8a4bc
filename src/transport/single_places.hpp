// Of a block that names a place several times, parts that name each place once: threads of one launch combine at the
// same time.
#pragma once

#include <utility>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// @param from, to rows of the plan, which gets lists and shapes more
/// @return what moves the same, what goes to one place in the same order; of one pair mostly
std::vector<std::pair<block_row, block_row>> by_single_places(schedule& plan, const block_row& from,
                                                              const block_row& to);

}  // namespace wherry
