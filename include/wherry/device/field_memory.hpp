/// @file
/// Memory for fields and arrays, where they are wanted.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/thread_team.hpp"

namespace wherry {

/// Zero-filled memory. Local. @param wanted `device`: on the device in use; else as `node_memory` says
/// @throws error(state) without a device, error(resource) without memory
node_memory field_memory(const communicator& comm, std::size_t bytes, memory_space wanted,
                         const thread_team& touched_by = {});

/// Where memory of the user's is, of which he has said `said`: what the device in use owns is there, whatever was said.
/// Asks the device, which may take a microsecond.
memory_space space_of(const void* memory, memory_space said);
/// The same, and what is in the communicator's arena is node-shared.
memory_space space_of(const communicator& comm, const void* memory, memory_space said);

namespace detail {

/// The pieces of memory as movers take them. (A span made of a vector in a header costs every program that includes
/// it.)
std::span<void* const> list_of(const std::vector<void*>& pieces);

}  // namespace detail

}  // namespace wherry
