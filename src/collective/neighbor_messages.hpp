// Data between neighbours, by one message to each.
#pragma once

#include <cstdint>

#include "dense_call.hpp"
#include "task.hpp"

namespace wherry::collective {

enum class neighbors : std::uint8_t { all, of_other_nodes };

/// Exchanges the blocks of a call among neighbours.
/// @param messages as for `carry`
/// @param with the neighbours that take part; the same on all ranks
template <class Messages> task exchange_with_neighbors(const dense_call& call, Messages& messages, neighbors with);

}  // namespace wherry::collective
