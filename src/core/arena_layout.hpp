// What stands where at the beginning of an arena.
#pragma once

#include <cstddef>

namespace wherry::arena_layout {

inline constexpr std::size_t page = 4096;
inline constexpr std::size_t users = 64;  // after the nonce: mappings, where ranks share a process
inline constexpr std::size_t data = page;

}  // namespace wherry::arena_layout
