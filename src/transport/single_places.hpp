// Splits a block that names a place several times into parts that name each place once, because the threads of one
// launch combine at the same time.
#pragma once

#include <utility>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// @param from, to rows of the plan, which gets more lists and shapes
/// @return pairs that move the same elements, and those of one place in the same order; mostly a single pair
std::vector<std::pair<plans::block_row, plans::block_row>> by_single_places(plans::schedule& plan,
                                                                            const plans::block_row& from,
                                                                            const plans::block_row& to);

}  // namespace wherry
