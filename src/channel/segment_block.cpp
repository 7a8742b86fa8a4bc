#include "segment_block.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"

#include "core/arena_block.hpp"
#include "core/available_memory.hpp"
#include "core/cache_line.hpp"

namespace wherry::segment_block {
namespace {

std::shared_ptr<std::byte> on_heap(const communicator& comm, std::size_t bytes) {
  require_memory("segment", "a segment", bytes, comm.rank());
  auto* const heap = static_cast<std::byte*>(std::aligned_alloc(line, in_lines(bytes)));
  if (heap == nullptr) detail::throw_out_of_memory("segment", "a segment", bytes, comm.rank());
  std::memset(heap, 0, bytes);
  return {heap, [](std::byte* memory) { std::free(memory); }};
}

}  // namespace

std::uint64_t place_of(const communicator& comm, const std::byte* memory) {
  const auto* const arena = comm.arena();
  const auto at = arena != nullptr ? arena->offset_of(memory) : std::nullopt;
  return at ? std::uint64_t{*at} : nowhere;
}

std::shared_ptr<std::byte> allocate_shared(const communicator& comm, std::size_t bytes,
                                           const std::shared_ptr<bool>& gone) {
  if (comm.arena() == nullptr) return on_heap(comm, bytes);
  auto piece = std::make_shared<arena_block>(comm, bytes, detail::arena_contents::zeros);
  auto* const first = piece->data();
  return {first, [comm, piece, gone](std::byte* memory) {
            const auto& count = *std::launder(reinterpret_cast<const departures*>(memory));
            piece->retire([&count, gone, all = comm.node_ranks().size()] { return *gone = count.load() == all; });
          }};
}

std::shared_ptr<std::byte> allocate(const communicator& comm, std::size_t bytes) {
  if (comm.arena() == nullptr) return on_heap(comm, bytes);
  auto piece = std::make_shared<arena_block>(comm, bytes, detail::arena_contents::zeros);
  return {piece->data(), [comm, piece](std::byte*) {}};
}

}  // namespace wherry::segment_block
