// Copies past the caches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wherry::collective {

/// Whether so many bytes, read and written by all ranks of a node, are more than its last cache holds.
bool is_beyond_the_caches(std::int64_t bytes);

/// Writes memory without fetching first what is written over, and keeps it out of the caches: for what would not stay
/// there anyway. Elsewhere than on x86-64 a plain copy.
void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes);

}  // namespace wherry::collective
