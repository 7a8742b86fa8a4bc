/// @file
/// A vector and an allocator whose memory the ranks of the node can read in place, so that an exchange need not copy
/// the data twice.
///
///     wherry::node_vector<double> x(rows, comm);  // zeros
///     const auto team = wherry::thread_team::of_its_own(4);
///     wherry::node_vector<double> y(rows, wherry::node_allocator<double>(comm, team));  // touched by the team
///
/// Use `field` or `x_array` for arrays with halos, which allocate in the same way, and `node_memory` for plain bytes.
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

/// The allocator of a container's elements. Its memory is that of `node_memory`: from the arena of a communicator, or
/// from the heap if the node has none. Any object of this class can free what another one has allocated.
template <class T> class node_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::true_type;

  node_allocator(const communicator& comm) : comm_(comm) {}
  /// @param touched_by the threads that will work on the elements, each on its own part as under OpenMP's static
  ///   schedule: each part gets its pages near the core of its thread
  node_allocator(const communicator& comm, thread_team touched_by)
      : comm_(comm), team_(std::make_shared<const thread_team>(std::move(touched_by))) {}
  template <class U> node_allocator(const node_allocator<U>& other) : comm_(other.comm()), team_(other.team()) {}

  /// Local. Aligned to a cache line. @throws error(resource) if there is too little memory
  T* allocate(std::size_t count) {
    if (count > (std::numeric_limits<std::size_t>::max() - head_bytes) / sizeof(T)) throw std::bad_array_new_length();
    const auto bytes = head_bytes + count * sizeof(T);
    node_memory memory = team_ ? node_memory(comm_, bytes, *team_) : node_memory(comm_, bytes);
    auto* const first = memory.data() + head_bytes;
    ::new (memory.data()) node_memory(std::move(memory));  // the object keeps its own memory alive
    return reinterpret_cast<T*>(first);
  }
  void deallocate(T* first, std::size_t) noexcept {
    auto* const head = reinterpret_cast<std::byte*>(first) - head_bytes;
    auto& kept = *std::launder(reinterpret_cast<node_memory*>(head));
    const node_memory last = std::move(kept);
    kept.~node_memory();
  }

  const communicator& comm() const { return comm_; }
  /// The threads that touch the memory first; null: the caller alone.
  const std::shared_ptr<const thread_team>& team() const { return team_; }
  template <class U> bool operator==(const node_allocator<U>&) const { return true; }

 private:
  static constexpr std::size_t head_bytes = 64;  // elements begin at a cache line
  static_assert(sizeof(node_memory) <= head_bytes && alignof(T) <= head_bytes);

  communicator comm_;
  std::shared_ptr<const thread_team> team_;
};

/// A vector that exchanges with other ranks of the node can read in place.
template <class T> using node_vector = std::vector<T, node_allocator<T>>;

}  // namespace wherry
