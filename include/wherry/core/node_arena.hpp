/// @file
/// Node-shared memory: each process reserves one sparse arena, which the other ranks of its node map once. Allocations
/// from it are local. All communicators of a process share its arena. Users take `node_memory` or `node_vector`, which
/// fall back to the heap if there is no arena.
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

/// The contents of memory that was just allocated from an arena.
enum class arena_contents : unsigned char {
  zeros,
  anything,  ///< not specified: for callers that write before they read
};

/// The arenas of all ranks of one node, as one communicator sees them. Each rank allocates from its own arena and can
/// address those of all others. Thread safe.
///
/// Memory is committed when it is allocated, so that a full file system or a memory limit is an `error` there, and
/// never a SIGBUS later. When a communicator ends, the memory that it has not given back is freed as soon as all its
/// ranks on the node have let go of it.
///
/// A process needs one file descriptor, and one mapping for each rank of its node, however many communicators there
/// are. A child of fork() has the same memory and not a copy of it: it may read fields, and its parent sees what it
/// writes, but it allocates and frees nothing.
class node_arena {
 public:
  /// The result of `make`.
  struct made {
    std::unique_ptr<node_arena> arena;  ///< null if no kind of shared memory works; then on all ranks alike
    std::string shortfall;              ///< says what is missing, and why; empty: nothing. The same on all ranks
  };
  /// Collective over `node`, whose ranks must share one operating system.
  /// @param asked bytes of address space for each rank, the same on all ranks; 0: the size of all memory. If a limit
  ///   (ulimit -v, -f) does not allow so much, the size is halved until it works
  static made make(MPI_Comm node, std::size_t asked);
  ~node_arena();
  node_arena(const node_arena&) = delete;
  node_arena& operator=(const node_arena&) = delete;

  /// Local. Returns memory aligned to `alignment`, which is a power of two and at most a page.
  /// @param touched_by for 2 MiB and more, each of its threads makes the pages of one part, so that they lie near its
  ///   core; the parts are in the order of the threads' numbers
  /// @throws error(resource) that names the sizes, if the arena, the machine or its control group is full; error(state)
  ///   in a child of fork()
  void* allocate(std::size_t bytes, std::size_t alignment = 64, arena_contents what = arena_contents::zeros,
                 const thread_team& touched_by = {});
  void deallocate(void* pointer) noexcept;

  /// Local. Deallocates later: at the first allocation at which `released()` is true. When the communicator of this
  /// arena ends first, the memory waits for the ranks of the node to leave instead. Use it for memory that another rank
  /// may still read. `keep` is destroyed at the same time and may outlive this arena: it owns whatever that rank reads
  /// besides.
  void retire(void* pointer, std::function<bool()> released, std::shared_ptr<const void> keep = nullptr);

  /// The offset of `pointer` in this rank's own arena; nothing if it points elsewhere.
  std::optional<std::size_t> offset_of(const void* pointer) const noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(base_);
    return offset < bytes_ ? std::optional<std::size_t>(offset) : std::nullopt;
  }

  /// The address at which this process sees `offset` of the arena of the rank at place `node_index` in
  /// `communicator::node_ranks()`.
  std::byte* address(int node_index, std::size_t offset) const noexcept {
    return bases_[static_cast<std::size_t>(node_index)] + offset;
  }

  /// The number of pieces that were freed so far in this process's arenas. While this number does not change, all
  /// pieces still exist.
  static std::uint64_t frees() noexcept { return detail::arena_frees.load(std::memory_order_relaxed); }
  /// True if the piece that holds `pointer` existed when `frees()` returned `since`, and still exists. For memory
  /// outside of the arena the result is always true.
  bool has_had(const void* pointer, std::uint64_t since) const;

  /// Bytes of address space of this rank's arena.
  std::size_t capacity() const noexcept { return bytes_; }
  /// Bytes that all communicators of this process have allocated.
  std::size_t used() const;
  /// True if a limit of the system has made the arena smaller than was asked for.
  bool is_cut() const noexcept;

 private:
  struct parts;
  class attempt;
  explicit node_arena(parts&& all);

  std::shared_ptr<arena_heap> heap_;
  std::vector<std::shared_ptr<const arena_mapping>> mappings_;
  std::vector<std::byte*> bases_;
  std::vector<std::size_t> departures_;  // of the word, in each rank's arena, that counts the ranks that have left
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  int mine_ = 0;
  std::uint64_t owner_ = 0;  // the number of this object in the heap
};

}  // namespace detail

}  // namespace wherry
