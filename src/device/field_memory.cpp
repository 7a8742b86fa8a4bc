#include "wherry/device/field_memory.hpp"

#include <algorithm>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/device/device.hpp"

#include "device_with_memory.hpp"

namespace wherry {

node_memory detail::field_memory(const communicator& comm, std::size_t bytes, memory_space wanted,
                                 const thread_team& touched_by) {
  if (wanted != memory_space::device) return {comm, bytes, touched_by};
  auto piece = detail::allocate_on_device(bytes);
  const std::vector<std::byte> zeros(std::min<std::size_t>(bytes, std::size_t{1} << 20));
  for (std::size_t done = 0; done < bytes; done += zeros.size())
    copy_on_device(piece.get() + done, zeros.data(), std::min(zeros.size(), bytes - done));
  return {std::move(piece), memory_space::device};
}

/// Memory of another device counts as device memory, too: the host must not touch it, and a start refuses it.
memory_space detail::space_of(const void* memory, memory_space said) {
  if (said == memory_space::device || memory == nullptr) return said;
  const auto* here = device_with_memory();
  if (here == nullptr) return said;
  const bool of_a_device = here->owns(memory) || (here->is_of_another != nullptr && here->is_of_another(memory));
  return of_a_device ? memory_space::device : said;
}

memory_space detail::space_of(const communicator& comm, const void* memory, memory_space said) {
  const auto space = detail::space_of(memory, said);
  const auto* const arena = comm.arena();
  const bool shared =
      space == memory_space::host && arena != nullptr && memory != nullptr && arena->offset_of(memory).has_value();
  return shared ? memory_space::node_shared : space;
}

std::span<void* const> detail::list_of(const std::vector<void*>& pieces) { return pieces; }

}  // namespace wherry
