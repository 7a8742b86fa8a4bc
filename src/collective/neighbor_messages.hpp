// What neighbours send each other, by a message each.
#pragma once

#include <cstdint>

#include "dense_call.hpp"
#include "task.hpp"

namespace wherry::collective {

enum class neighbors : std::uint8_t { all, of_other_nodes };

/// `messages` as `carry` wants them. @param with whom; each rank says the same
template <class Messages> task exchange_with_neighbors(const dense_call& call, Messages& messages, neighbors with);

}  // namespace wherry::collective
