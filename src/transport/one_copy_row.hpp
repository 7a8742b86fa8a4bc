// How long a row must be for a rank of the node to read it in place.
#pragma once

#include <cstdint>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The shortest contiguous run, in bytes, that `shared` reads from the sender's field rather than from staging.
/// @param stages the messages of one transport
std::int64_t one_copy_row(const plans::schedule& plan, const std::vector<plans::stage>& stages);

}  // namespace wherry
