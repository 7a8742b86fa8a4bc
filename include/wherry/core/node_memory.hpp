/// @file
/// Plain bytes that the ranks of a node can read in place.
///
///     wherry::node_memory memory(comm, count * sizeof(double));  // local; zeros
///     auto* values = reinterpret_cast<double*>(memory.data());
///     if (memory.space() == wherry::memory_space::host)
///       std::puts("no node-shared memory: neighbours get copies through a staging buffer");
///
/// Use `node_vector` for a container of elements, and `field` for an array with a halo.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/core/memory_space.hpp"
#include "wherry/core/thread_team.hpp"

namespace wherry {

/// Memory from the arena of a communicator. It is from the heap instead if the node has no arena, or if a limit of the
/// system has made the arena smaller and the arena is full. The memory is filled with zeros and aligned to cache lines.
/// Copies of the object refer to the same memory, which is freed with the last of them.
class node_memory {
 public:
  node_memory() = default;
  /// Local.
  /// @param touched_by each of its threads touches one part first, so that the part lies near its core; the parts are
  ///   in the order of the threads' numbers
  /// @throws error(resource) if the node-shared memory, or the heap that replaces it, has too little left
  node_memory(const communicator& comm, std::size_t bytes, const thread_team& touched_by = {});
  /// Refers to memory from elsewhere, which lies in the space `where`. Local.
  node_memory(std::shared_ptr<std::byte> memory, memory_space where) : data_(std::move(memory)), space_(where) {}

  std::byte* data() const { return data_.get(); }
  memory_space space() const { return space_; }

 private:
  std::shared_ptr<std::byte> data_;
  memory_space space_ = memory_space::host;
};

}  // namespace wherry
