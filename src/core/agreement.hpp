// Agreement on failure, which adds figures up on the way at no cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// `agree_or_throw`; returns the sums over all ranks of what each gives in `figures`, the same bits everywhere. The
/// fingerprint must say how many there are; a rank that fails may give none.
/// @param disagreement says more where the fingerprints differ; called on all ranks, so that it may be collective
std::vector<double> agree_and_add_up(const communicator& comm, std::string_view where, const error* mine,
                                     std::uint32_t fingerprint, const std::function<std::string()>& disagreement,
                                     const std::vector<double>& figures);

}  // namespace wherry
