// Which pieces of node_memory there are: the checking mode sees by them that a field was freed under an exchange.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wherry {

void note_piece(const void* first, std::size_t bytes);
void forget_piece(const void* first) noexcept;

/// The number of the piece in which an address lies, which no other has or has had; 0 for memory that is not ours.
std::uint64_t piece_at(const void* address);

}  // namespace wherry
