// Agreement on failure, with a question asked on the way at no cost.
#pragma once

#include <functional>
#include <string>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// `agree_or_throw`; returns whether all ranks passed `vote`.
/// @param disagreement says more where the fingerprints differ; called on all ranks, so that it may be collective
bool agree_and_vote(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint,
                    const std::function<std::string()>& disagreement, bool vote);

}  // namespace wherry
