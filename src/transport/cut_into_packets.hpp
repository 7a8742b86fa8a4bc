// Cuts the messages of a schedule into packets. Each packet is a stage of its own, so all ranks must have the same
// number of them.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Collective. Cuts the messages of each stage into packets of at most `most` bytes. Each stage becomes as many stages
/// as the rank with the most packets needs, because both sides of a message must have it in the same stage, and because
/// some transports are collective in every stage.
/// Returns for each new stage 1 if it continues the stage before it, and 0 otherwise. A stage that continues another
/// sends nothing that has to arrive first. @throws error(argument) on all ranks alike for a bad schedule
std::vector<char> cut_into_packets(const communicator& comm, plans::schedule& plan, std::int64_t most);

}  // namespace wherry
