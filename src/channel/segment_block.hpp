// The layout of a rank's part of a segment: a cache line that counts the ranks that have departed, the notifications,
// and the data (unless it is the user's).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "wherry/core/communicator.hpp"

#include "core/cache_line.hpp"

namespace wherry::segment_block {

inline constexpr std::size_t line = 64;
inline constexpr auto nowhere = std::numeric_limits<std::uint64_t>::max();

using word = std::atomic<std::uint32_t>;
using departures = std::atomic<std::uint64_t>;
static_assert(word::is_always_lock_free && sizeof(word) == 4 && sizeof(departures) <= line);

inline constexpr std::size_t words_at = line;
inline std::size_t data_at(int notifications) {
  return words_at + in_lines(static_cast<std::size_t>(notifications) * sizeof(word));
}

/// The place of `memory` in this rank's arena, or `nowhere`.
std::uint64_t place_of(const communicator& comm, const std::byte* memory);

/// Zeroed memory. It is given back when all ranks of the node have let go of it, and MPI's windows over it are freed.
/// @param gone becomes true then
std::shared_ptr<std::byte> allocate_shared(const communicator& comm, std::size_t bytes,
                                           const std::shared_ptr<bool>& gone = std::make_shared<bool>(false));
/// Zeroed memory, which is given back with the pointer. Its users are not counted.
std::shared_ptr<std::byte> allocate(const communicator& comm, std::size_t bytes);

}  // namespace wherry::segment_block
