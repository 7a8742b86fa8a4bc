// Messages cut into pieces that MPI takes at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Appends blocks that visit bytes `first` to `last` of what `b` visits, in the same order. Not for called blocks.
void append_slice(const block& b, std::int64_t first, std::int64_t last, const schedule& plan, std::vector<block>& out);

/// The blocks of a message in pieces of at most `limit` bytes (at least 8); empty blocks are dropped. The cuts depend
/// only on what both sides know, the blocks' bytes and elements. Elements stay whole unless they exceed the limit:
/// MPICH 4.0.2 was seen to unpack words wrongly that had been cut at odd bytes.
std::vector<std::vector<block>> cut_message(std::span<const block> blocks, std::int64_t limit, const schedule& plan);

}  // namespace wherry
