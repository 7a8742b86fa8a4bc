// At bind, both sides compare every message: what one rank sends must be what the other one expects.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

#include "core/terms.hpp"

namespace wherry {

/// Collective. Throws on all ranks alike: `mine`, if a rank passes an error of its own; or error(mismatch), if the two
/// sides of a message differ in bytes, elements, element types or operation, if only one side knows the message, or if
/// any of the terms differs, with its name and two values. The cost depends on the number of peers, not of ranks.
/// Returns the sums of all ranks' figures.
std::vector<double> compare_messages(const communicator& comm, const plans::schedule& plan,
                                     const plans::functions& code, const std::optional<error>& mine,
                                     const terms& agreed, const std::vector<double>& figures);

}  // namespace wherry
