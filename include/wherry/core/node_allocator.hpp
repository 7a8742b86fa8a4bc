/// @file
/// Containers in memory that the ranks of a node can read in place: `node_vector<double> x(rows, comm)`.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/node_memory.hpp"
#include "wherry/core/thread_team.hpp"

namespace wherry {

/// The allocator of a container's elements: as of `node_memory`, from the arena of a communicator, or the heap where
/// the node has none. What one has allocated any other can free.
template <class T> class node_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::true_type;

  node_allocator(const communicator& comm) : comm_(comm) {}
  /// @param touched_by the threads that will work on the elements, each on its part of them (OpenMP's static schedule):
  ///        each gets its pages near its core
  node_allocator(const communicator& comm, thread_team touched_by)
      : comm_(comm), team_(std::make_shared<const thread_team>(std::move(touched_by))) {}
  template <class U> node_allocator(const node_allocator<U>& other) : comm_(other.comm()), team_(other.team()) {}

  /// Local. @throws error(resource) when the node-shared memory is exhausted.
  T* allocate(std::size_t count) {
    if (count > (std::numeric_limits<std::size_t>::max() - head_bytes) / sizeof(T)) throw std::bad_array_new_length();
    const auto bytes = head_bytes + count * sizeof(T);
    node_memory memory = team_ ? node_memory(comm_, bytes, *team_) : node_memory(comm_, bytes);
    auto* const first = memory.data() + head_bytes;
    ::new (memory.data()) node_memory(std::move(memory));  // which so keeps itself alive
    return reinterpret_cast<T*>(first);
  }
  void deallocate(T* first, std::size_t) noexcept {
    auto* const head = reinterpret_cast<std::byte*>(first) - head_bytes;
    auto& kept = *std::launder(reinterpret_cast<node_memory*>(head));
    const node_memory last = std::move(kept);
    kept.~node_memory();
  }

  const communicator& comm() const { return comm_; }
  /// Null: the caller alone touches them first.
  const std::shared_ptr<const thread_team>& team() const { return team_; }
  template <class U> bool operator==(const node_allocator<U>&) const { return true; }

 private:
  static constexpr std::size_t head_bytes = 64;  // elements begin at a cache line
  static_assert(sizeof(node_memory) <= head_bytes && alignof(T) <= head_bytes);

  communicator comm_;
  std::shared_ptr<const thread_team> team_;
};

/// A vector that exchanges with ranks of the node can read in place.
template <class T> using node_vector = std::vector<T, node_allocator<T>>;

}  // namespace wherry
