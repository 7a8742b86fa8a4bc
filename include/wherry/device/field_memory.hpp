/// @file
/// Allocates the memory of fields and arrays, and finds out where memory of the user is. `field`, `x_array` and
/// `index_array` call these functions; use their `space` option instead.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/thread_team.hpp"

namespace wherry::detail {

/// Allocates memory filled with zeros. Local.
/// @param wanted `device` for memory of the device in use; otherwise the memory is a `node_memory`
/// @param touched_by the threads near which the pages are placed
/// @throws error(state) if there is no device, error(resource) if there is not enough memory
node_memory field_memory(const communicator& comm, std::size_t bytes, memory_space wanted,
                         const thread_team& touched_by = {});

/// The memory space of the user's memory: `device` if a device owns it, and otherwise the space `said` that the user
/// has named. Asks the device, which may take a microsecond. Local.
memory_space space_of(const void* memory, memory_space said);
/// Like `space_of(memory, said)`, but host memory in the communicator's arena is node-shared.
memory_space space_of(const communicator& comm, const void* memory, memory_space said);

/// The span of a vector. Not inline, because a span made from a vector in a header costs compile time in every program
/// that includes it.
std::span<void* const> list_of(const std::vector<void*>& pieces);

}  // namespace wherry::detail
