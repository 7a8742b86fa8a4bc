// Finds fields whose memory was freed. The arena knows which of its pieces exist; of memory elsewhere nothing is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The first field whose piece of the arena was freed since `node_arena::frees()` returned `since`, or which never lay
/// in a piece.
inline std::optional<std::size_t> freed_field(const communicator& comm, const std::vector<plans::field_shape>& shapes,
                                              plans::field_table fields, std::uint64_t since) {
  const auto* const arena = comm.arena();
  for (std::size_t i = 0; arena != nullptr && i < shapes.size(); ++i) {
    const bool has_place = fields[i] != nullptr && shapes[i].lowest < shapes[i].highest;
    if (has_place && !arena->has_had(static_cast<const std::byte*>(fields[i]) + shapes[i].lowest, since)) return i;
  }
  return std::nullopt;
}

}  // namespace wherry
