// Which blocks of a message a rank of the same node reads in place, and which are packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

#include "plan/planned_copies.hpp"

namespace wherry {

/// The strided blocks of a message that lie in node-shared memory, as the sender describes them to the receiver. Of
/// each block it lists its place in the message, its field, its offset in two words, and its shape (see
/// in_place_blocks.cpp). The receiver decides how long rows must be to be read in place.
/// @param any_host_memory true: lists blocks in plain host memory, too, because it may turn out to be shared
std::vector<std::int32_t> shareable_blocks(const plans::message& m, const transports::bind_request& request,
                                           bool any_host_memory = false);

/// Chooses the blocks that the receiver, too, stores in rows of at least `row` bytes. Returns 1 for each block that is
/// read in place, else 0; or an empty list if no block is.
/// @param copies gets the copies from the sender's fields to the receiver's
std::vector<std::uint8_t> choose_in_place(std::span<const std::int32_t> theirs, const plans::message& mine,
                                          const transports::bind_request& request, std::int64_t row,
                                          planned_copies& copies);

/// Does the same in groups, one for each of the sender's fields, because some of these fields may turn out to lie
/// elsewhere.
/// @param fields gets the sender's field of each group
/// @return for each block the number of its field in `fields`, counted from 1, or 0 if it is not read in place; or an
///   empty list if no block is
std::vector<std::uint8_t> choose_in_place_by_field(std::span<const std::int32_t> theirs, const plans::message& mine,
                                                   const transports::bind_request& request, std::int64_t row,
                                                   std::vector<std::int32_t>& fields, planned_copies& copies);

/// The blocks of a message in two parts: those that are packed into staging, and those that may be read in place.
struct message_parts {
  detail::message_packing staged, in_place;
  std::vector<std::uint8_t> direct;  // for each block: 1 if it is in the second part; empty: none is
  std::size_t in_place_offset = 0;   // the offset of the second part in a staging buffer

  message_parts() = default;
  message_parts(const plans::message& m, std::vector<std::uint8_t> chosen, const transports::bind_request& request);
  message_parts(message_parts&&) = default;  // the packings point into the list, which stays where it is
  message_parts& operator=(message_parts&&) = default;
};

}  // namespace wherry
