// From registered transfers to a schedule: the sides tell each other what they have (resolve), then plan on their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/halo/transfer_set.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// How one transfer travels; both sides have worked out the same.
struct wire_form {
  std::array<int, max_block_rank> order{};  // dimensions, fastest on the wire first
  index_t element = 1;                      // what both sides count in
};

/// One transfer and its pair in what follows from it.
struct resolved_transfers {
  std::vector<wire_form> sends, receives;  // one a transfer
};

/// Collective. Every pair of ranks compares its lists, which are sorted by peer and label.
/// @throws error(mismatch) on all ranks alike, naming both ranks and figures of the first difference.
resolved_transfers resolve_transfers(const communicator& comm, std::span<const detail::transfer> sends,
                                     std::span<const detail::transfer> receives, std::string_view pattern,
                                     const detail::transfer_set::label_text& names);

/// Pure. Fields of the schedule: the sends in order, then the receives; those without bytes are in no message.
schedule plan_transfers(std::span<const detail::transfer> sends, std::span<const detail::transfer> receives,
                        const resolved_transfers& resolved, std::string_view pattern, int rank);

/// The dimensions by increasing stride.
std::array<int, max_block_rank> stride_order(const array_section& part);

/// A section as a block of a field whose pointer lies `offset` bytes before the section's first element.
block section_block(const array_section& part, int field, const std::array<int, max_block_rank>& order,
                    std::int64_t offset = 0);

/// What the schedule knows of a section.
field_shape section_shape(const array_section& part);

}  // namespace wherry
