#include "wherry/core/node_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "wherry/core/node_arena.hpp"

#include "live_memory.hpp"

namespace wherry {
namespace {

std::shared_ptr<std::byte> allocate(const communicator& comm, std::size_t bytes, memory_space& space) {
  if (node_arena* arena = comm.arena()) {
    // The deleter holds the communicator, and with it the arena.
    space = memory_space::node_shared;
    return {static_cast<std::byte*>(arena->allocate(bytes)),
            [comm](std::byte* memory) { comm.arena()->deallocate(memory); }};
  }
  const std::size_t whole_lines = (bytes + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, whole_lines);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, whole_lines);
  space = memory_space::host;
  return {static_cast<std::byte*>(memory), [](std::byte* heap) { std::free(heap); }};
}

}  // namespace

node_memory::node_memory(const communicator& comm, std::size_t bytes) {
  auto piece = allocate(comm, bytes, space_);
  note_piece(piece.get(), bytes);
  auto* first = piece.get();
  data_ = {first, [piece = std::move(piece)](std::byte* memory) { forget_piece(memory); }};
}

}  // namespace wherry
