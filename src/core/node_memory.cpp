#include "wherry/core/node_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/node_arena.hpp"

#include "available_memory.hpp"
#include "cache_line.hpp"

namespace wherry {
namespace {

/// Memory from the heap. It is written at once, so the free memory is checked first.
std::shared_ptr<std::byte> from_heap(std::size_t bytes, int rank, const thread_team& touched_by) {
  const char* const where = "node_memory";
  constexpr std::size_t line = 64;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) detail::throw_out_of_memory(where, "a field", bytes, rank);
  const std::size_t whole_lines = in_lines(bytes);
  require_memory(where, "a field", bytes, rank);
  void* memory = std::aligned_alloc(line, whole_lines);
  if (memory == nullptr) detail::throw_out_of_memory(where, "a field", bytes, rank);
  touched_by.run_by_their_own([&](int number) {
    const auto parts = static_cast<std::size_t>(touched_by.size()), part = static_cast<std::size_t>(number);
    const auto begin = whole_lines / line * part / parts * line, end = whole_lines / line * (part + 1) / parts * line;
    std::memset(static_cast<std::byte*>(memory) + begin, 0, end - begin);
  });
  return {static_cast<std::byte*>(memory), [](std::byte* heap) { std::free(heap); }};
}

std::shared_ptr<std::byte> allocate(const communicator& comm, std::size_t bytes, memory_space& space,
                                    const thread_team& touched_by) {
  if (detail::node_arena* arena = comm.arena()) {
    try {
      // The deleter holds the communicator, and with it the arena.
      space = memory_space::node_shared;
      return {static_cast<std::byte*>(arena->allocate(bytes, 64, detail::arena_contents::zeros, touched_by)),
              [comm](std::byte* memory) { comm.arena()->deallocate(memory); }};
    } catch (const error&) {
      if (!arena->is_cut()) throw;  // otherwise the size that the user asked for would have been enough
    }
  }
  space = memory_space::host;
  return from_heap(bytes, comm.rank(), touched_by);
}

}  // namespace

node_memory::node_memory(const communicator& comm, std::size_t bytes, const thread_team& touched_by) {
  data_ = allocate(comm, bytes, space_, touched_by);
}

}  // namespace wherry
