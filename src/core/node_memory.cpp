#include "wherry/core/node_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "wherry/core/node_arena.hpp"

namespace wherry {

node_memory::node_memory(const communicator& comm, std::size_t bytes) {
  if (node_arena* arena = comm.arena()) {
    // The deleter holds the communicator, and with it the arena.
    data_ = {static_cast<std::byte*>(arena->allocate(bytes)),
             [comm](std::byte* memory) { comm.arena()->deallocate(memory); }};
    space_ = memory_space::node_shared;
    return;
  }
  const std::size_t whole_lines = (bytes + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, whole_lines);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, whole_lines);
  data_ = {static_cast<std::byte*>(memory), [](std::byte* heap) { std::free(heap); }};
  space_ = memory_space::host;
}

}  // namespace wherry
