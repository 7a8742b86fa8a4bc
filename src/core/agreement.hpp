// Agreement on failure, with a question asked on the way at no cost.
#pragma once

#include "wherry/core/communicator.hpp"

namespace wherry {

/// `agree_or_throw`; returns whether all ranks passed `vote`.
bool agree_and_vote(const communicator& comm, std::string_view where, const error* mine, std::uint32_t fingerprint,
                    std::string_view on_disagreement, bool vote);

}  // namespace wherry
