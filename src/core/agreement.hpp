// Agreement on failure that also adds up figures of all ranks, at no extra cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// Does what `agree_or_throw` does, and returns the sums over all ranks of the entries of `figures`, with the same bits
/// everywhere. The fingerprint must include the number of entries; a rank that fails may give none.
/// @param disagreement makes the text of the error if the fingerprints differ; it is called on all ranks, so that it
///   may be collective
std::vector<double> agree_and_add_up(const communicator& comm, std::string_view where, const error* mine,
                                     std::uint32_t fingerprint, const std::function<std::string()>& disagreement,
                                     const std::vector<double>& figures);

}  // namespace wherry
