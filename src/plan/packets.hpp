// Cuts messages into packets that travel one after the other, so that the memory for messages is bounded.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Divides `whole`, a stage of `plan`, into stages whose messages have at most `most` bytes or one block. Both sides of
/// a message see the same blocks in the same order, and so cut it alike. Copies are in the first stage.
std::vector<plans::stage> in_packets(const plans::stage& whole, const plans::schedule& plan, std::int64_t most);

}  // namespace wherry
