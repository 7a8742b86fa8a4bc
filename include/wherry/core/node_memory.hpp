/// @file
/// Memory that the ranks of a node can read in place, where there is any.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/thread_team.hpp"

namespace wherry {

/// Memory in the arena of a communicator, or on the heap where the node has none. Zero-filled, aligned to cache lines.
/// Copies refer to the same memory, which lives as long as one of them.
class node_memory {
 public:
  node_memory() = default;
  /// Local. @throws error(resource) when the node-shared memory is exhausted.
  /// @param touched_by each of its threads gets a part, one after the other, near its core
  node_memory(const communicator& comm, std::size_t bytes, const thread_team& touched_by = {});
  /// Memory of somebody else's, which says where it is.
  node_memory(std::shared_ptr<std::byte> memory, memory_space where) : data_(std::move(memory)), space_(where) {}

  std::byte* data() const { return data_.get(); }
  memory_space space() const { return space_; }

 private:
  std::shared_ptr<std::byte> data_;
  memory_space space_ = memory_space::host;
};

}  // namespace wherry
