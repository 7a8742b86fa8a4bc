// Which blocks of a message a rank of the same node reads straight from the sender's fields, and which go packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

#include "plan/planned_copies.hpp"

namespace wherry {

/// The strided blocks of a message that lie in memory which the node shares, as the sender tells the receiver of them:
/// of each its place in the message, its field, its offset in two words, and its shape (see in_place_blocks.cpp). How
/// long the rows must be is the receiver's to say.
/// @param any_host_memory what the plan takes for the host's alone may turn out to be shared, too
std::vector<std::int32_t> shareable_blocks(const message& m, const bind_request& request, bool any_host_memory = false);

/// Those of them that the receiver stores in rows as long: 1 for each block that is read in place, nothing where none
/// is.
/// @param copies gets what moves them from the sender's fields to the receiver's
std::vector<std::uint8_t> choose_in_place(std::span<const std::int32_t> theirs, const message& mine,
                                          const bind_request& request, std::int64_t row, planned_copies& copies);

/// The same in groups, one for each of the sender's fields, of which some may turn out to lie elsewhere.
/// @param fields gets the sender's field of each group
/// @return of each block from 1 on which of `fields` it is of, 0: it is not read in place; nothing where none is
std::vector<std::uint8_t> choose_in_place_by_field(std::span<const std::int32_t> theirs, const message& mine,
                                                   const bind_request& request, std::int64_t row,
                                                   std::vector<std::int32_t>& fields, planned_copies& copies);

/// Blocks of a message in two parts: those packed into staging, and those that may be read in place.
struct message_parts {
  detail::message_packing staged, in_place;
  std::vector<std::uint8_t> direct;  // of each block: is it in the second part? Empty: none is
  std::size_t in_place_offset = 0;   // where the second part stands in a staging buffer

  message_parts() = default;
  message_parts(const message& m, std::vector<std::uint8_t> chosen, const bind_request& request);
  message_parts(message_parts&&) = default;  // the packings point into the list, which stays where it is
  message_parts& operator=(message_parts&&) = default;
};

}  // namespace wherry
