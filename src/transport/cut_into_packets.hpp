// Packets are stages, of which all ranks must have the same number.
#pragma once

#include <cstdint>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Collective. Cuts the messages of each stage; each stage becomes as many as the rank with most packets needs: both
/// sides of a message must have it in one stage, and some transports are collective in every stage.
/// Returns for each stage whether it goes on with what the one before began: then what it sends depends on nothing that
/// has to arrive first. @throws error(argument) on all ranks alike for a bad schedule
std::vector<char> cut_into_packets(const communicator& comm, schedule& plan, std::int64_t most);

}  // namespace wherry
