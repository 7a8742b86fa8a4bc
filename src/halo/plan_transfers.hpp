// Turns registered transfers into a schedule. First the two sides tell each other their transfers (resolve), then each
// plans by itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/halo/transfer_set.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The form in which one transfer travels, computed alike on both sides.
struct wire_form {
  std::array<int, plans::max_block_rank> order{};  // dimensions, fastest on the wire first
  index_t element = 1;                             // bytes of the unit in which both sides count
};

/// The wire forms of all transfers of this rank.
struct resolved_transfers {
  std::vector<wire_form> sends, receives;  // one for each transfer
};

/// Compares the transfers of every pair of ranks. Collective over `comm`.
/// @param sends, receives sorted by peer and label
/// @throws error(mismatch) on all ranks alike, naming both ranks and the figures of the first difference.
resolved_transfers resolve_transfers(const communicator& comm, std::span<const detail::transfer> sends,
                                     std::span<const detail::transfer> receives, std::string_view pattern,
                                     const detail::transfer_set::label_text& names);

/// Makes the schedule of `rank`. Its fields are the sends in their order and then the receives; transfers without bytes
/// are in no message.
plans::schedule plan_transfers(std::span<const detail::transfer> sends, std::span<const detail::transfer> receives,
                               const resolved_transfers& resolved, std::string_view pattern, int rank);

/// The dimensions of a section by increasing stride.
std::array<int, plans::max_block_rank> stride_order(const array_section& part);

/// A section as a block of a field, where the field's pointer lies `offset` bytes before the section's first element.
plans::block section_block(const array_section& part, int field, const std::array<int, plans::max_block_rank>& order,
                           std::int64_t offset = 0);

/// The shape of a section as a field of a schedule.
plans::field_shape section_shape(const array_section& part);

}  // namespace wherry
