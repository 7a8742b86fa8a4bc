/// @file
/// Node-shared memory: one sparse arena a process, mapped by the other ranks of its node once, then sub-allocated
/// locally. All communicators of the process share it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/thread_team.hpp"

namespace wherry {

class arena_heap;
class arena_mapping;

namespace detail {

inline constinit std::atomic<std::uint64_t> arena_frees{0};

}  // namespace detail

/// What memory of an arena has in it at first.
enum class arena_contents : unsigned char {
  zeros,
  anything,  ///< for those who write before they read: what somebody has left there
};

/// The arenas of all ranks of one node, as one communicator sees them. Each rank allocates from its own and can address
/// everybody's. Thread safe. Memory is committed when it is allocated, so that a full file system or a memory limit is
/// an `error` here and never a SIGBUS later. What a communicator has not given back when it ends goes once all its
/// ranks on the node have let go of it.
///
/// Costs a process one descriptor and one mapping a rank of its node, however many communicators there are. A child of
/// fork() has the same memory, not a copy of it: it may read fields, and what it writes its parent sees; it allocates
/// and frees nothing.
class node_arena {
 public:
  /// What `make` has come to.
  struct made {
    std::unique_ptr<node_arena> arena;  ///< null, on all ranks alike, where no kind of shared memory works
    std::string shortfall;              ///< one sentence on what is missing and why; empty: nothing. On all ranks alike
  };
  /// Collective over `node`, whose ranks must share an operating system.
  /// @param asked bytes of address space for each rank; 0: all memory. Where limits do not allow it (ulimit -v, -f), as
  ///        much as they do, halved until it works. The same on all ranks.
  static made make(MPI_Comm node, std::size_t asked);
  ~node_arena();
  node_arena(const node_arena&) = delete;
  node_arena& operator=(const node_arena&) = delete;

  /// Local. Memory aligned to `alignment` (a power of two, at most a page).
  /// @param touched_by each of its threads gets its pages of a long piece, one part of it after the other, near its
  /// core
  /// @throws error(resource) naming the sizes when the arena, the machine or its control group is full; error(state) in
  ///         a child of fork().
  void* allocate(std::size_t bytes, std::size_t alignment = 64, arena_contents what = arena_contents::zeros,
                 const thread_team& touched_by = {});
  void deallocate(void* pointer) noexcept;

  /// Deallocates later: at the first allocation at which `released()` is true. For memory that another rank may still
  /// read, and for what else it reads as long: `keep`, which outlasts this arena.
  void retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep = nullptr);

  /// Offset of `pointer` in this rank's own arena; nothing when it points elsewhere.
  std::optional<std::size_t> offset_of(const void* pointer) const noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(base_);
    return offset < bytes_ ? std::optional<std::size_t>(offset) : std::nullopt;
  }

  /// Where this process sees `offset` of the arena of the node's rank `node_index`.
  std::byte* address(int node_index, std::size_t offset) const noexcept {
    return bases_[static_cast<std::size_t>(node_index)] + offset;
  }

  /// How many pieces of this process's arenas were freed so far: while that stays the same all of them are there.
  static std::uint64_t frees() noexcept { return detail::arena_frees.load(std::memory_order_relaxed); }
  /// Whether the piece in which `pointer` lies was there when `frees()` gave `since`, and still is; true of memory
  /// elsewhere.
  bool has_had(const void* pointer, std::uint64_t since) const;

  std::size_t capacity() const noexcept { return bytes_; }
  /// By all communicators of this process.
  std::size_t used() const;
  /// Whether limits of the system have made it smaller than what was asked for.
  bool is_cut() const noexcept;

 private:
  struct parts;
  class attempt;
  explicit node_arena(parts&& all);

  std::shared_ptr<arena_heap> heap_;
  std::vector<std::shared_ptr<const arena_mapping>> mappings_;
  std::vector<std::byte*> bases_;
  std::vector<std::size_t> departures_;  // offset, in each rank's arena, of the word that counts who has left
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  int mine_ = 0;
  std::uint64_t owner_ = 0;  // what the heap knows this as
};

}  // namespace wherry
