// Cuts messages into pieces that are small enough for one MPI call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Appends blocks that visit bytes `first` to `last` of the bytes that `b` visits, in the same order. Not for called
/// blocks.
void append_slice(const plans::block& b, std::int64_t first, std::int64_t last, const plans::schedule& plan,
                  std::vector<plans::block>& out);

/// Cuts the blocks of a message into pieces of at most `limit` bytes (at least 8), and drops empty blocks. The cuts
/// depend only on the blocks' bytes and elements, which both sides know. Elements stay whole unless they exceed the
/// limit, because MPICH 4.0.2 was seen to unpack words wrongly that had been cut at odd bytes.
std::vector<std::vector<plans::block>> cut_message(std::span<const plans::block> blocks, std::int64_t limit,
                                                   const plans::schedule& plan);

}  // namespace wherry
