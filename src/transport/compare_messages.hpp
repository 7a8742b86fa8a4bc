// At bind, both sides compare every message: what one rank sends is what the other expects.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

#include "core/terms.hpp"

namespace wherry {

/// Collective. Throws on all ranks alike: `mine`, where a rank has found an error of its own; error(mismatch) when the
/// two sides of any message differ in bytes, elements, their type or the operation, or one side does not know of it, or
/// when any of the terms differs, naming it and two values. The cost depends on the peers, not on the ranks. Returns
/// the sums of the ranks' figures.
std::vector<double> compare_messages(const communicator& comm, const schedule& plan, const functions& code,
                                     const std::optional<error>& mine, const terms& agreed,
                                     const std::vector<double>& figures);

}  // namespace wherry
