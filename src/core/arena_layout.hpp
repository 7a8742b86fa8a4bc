// The layout of the beginning of an arena.
#pragma once

#include <cstddef>

namespace wherry::arena_layout {

inline constexpr std::size_t page = 4096;
inline constexpr std::size_t users = 64;  // behind the nonce: the number of mappings, if ranks share a process
inline constexpr std::size_t data = page;

}  // namespace wherry::arena_layout
