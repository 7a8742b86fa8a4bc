/// @file
/// Node-shared memory: one sparse arena a rank, mapped by all ranks of the node once, then sub-allocated locally.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace wherry {

/// The arenas of all ranks of one node. Each rank allocates from its own and can address everybody's.
/// Thread safe. Memory is committed when it is allocated, so that a full file system or a memory limit is an `error`
/// here and never a SIGBUS later.
class node_arena {
 public:
  /// Collective over `node`, whose ranks must share an operating system. Null, on all ranks alike, where no kind of
  /// shared memory works. `bytes` of address space are reserved for each rank.
  static std::unique_ptr<node_arena> make(MPI_Comm node, std::size_t bytes);
  ~node_arena();
  node_arena(const node_arena&) = delete;
  node_arena& operator=(const node_arena&) = delete;

  /// Local. Zero-filled memory aligned to `alignment` (a power of two, at most a page).
  /// @throws error(resource) naming the sizes when the arena or the machine is full.
  void* allocate(std::size_t bytes, std::size_t alignment = 64);
  void deallocate(void* pointer) noexcept;

  /// Deallocates later: at the first allocation at which `released()` is true. For memory that another rank may still
  /// read.
  void retire(void* pointer, std::function<bool()> released);

  /// Offset of `pointer` in this rank's own arena; nothing when it points elsewhere.
  std::optional<std::size_t> offset_of(const void* pointer) const noexcept;

  /// Where this process sees `offset` of the arena of the node's rank `node_index`.
  std::byte* address(int node_index, std::size_t offset) const noexcept {
    return bases_[static_cast<std::size_t>(node_index)] + offset;
  }

  std::size_t capacity() const noexcept { return bytes_; }
  std::size_t used() const noexcept { return used_; }

 private:
  node_arena() = default;
  void deallocate_locked(void* pointer) noexcept;
  bool commit(std::size_t offset, std::size_t bytes) noexcept;

  std::size_t bytes_ = 0, used_ = 0;
  int file_ = -1, mine_ = 0;
  std::vector<std::byte*> bases_;
  struct retired {
    void* pointer;
    std::function<bool()> released;
  };
  std::mutex guard_;
  std::vector<retired> retired_;
  std::map<std::size_t, std::size_t> free_;       // offset → bytes, never touching one another
  std::map<std::size_t, std::size_t> allocated_;  // offset → bytes
};

}  // namespace wherry
