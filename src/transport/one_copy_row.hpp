// Which rows a node neighbour reads in place.
#pragma once

#include <cstdint>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The shortest contiguous run, in bytes, that `shared` reads straight from the sender's field rather than from
/// staging.
/// @param stages the messages of one transport
std::int64_t one_copy_row(const schedule& plan, const std::vector<stage>& stages);

}  // namespace wherry
