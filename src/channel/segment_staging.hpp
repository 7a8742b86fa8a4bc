// What a segment writes by way of staging: the rings of one rank, one for each rank of its node whose memory it does
// not reach by stores, and what that rank has in its block for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "wherry/core/communicator.hpp"

#include "core/arena_block.hpp"
#include "staged_writes.hpp"

namespace wherry {

/// In the writer's arena.
struct staged_ring {
  static constexpr std::uint64_t windows = 64;
  static constexpr std::size_t in_line = 48, chunk = 2048;
  static constexpr std::size_t most_bytes = windows / 2 * chunk;  // half of it, so that there is room more often

  struct alignas(64) notice {
    std::uint64_t at;
    std::uint64_t bytes;
    std::byte data[in_line];  // what is longer is in the window's chunk
  };

  staged_words<> words;
  notice notices[windows];
  std::byte chunks[windows][chunk];

  std::uint64_t at(std::uint64_t window) const { return notices[window % windows].at; }
  std::span<const std::byte> data(std::uint64_t window) const {
    const auto& found = notices[window % windows];
    return {found.bytes <= in_line ? found.data : chunks[window % windows], found.bytes};
  }
};

/// In the block of a rank whose memory is reached so: where the rings of the others are, each in its own arena.
struct staged_table {
  using word = std::atomic<std::uint64_t>;
  word closed;  // its segment has ended, and its memory may be gone

  /// By the writer's place in the node: 1 + the place in its arena; 0: none yet.
  word& ring_of(int node_index) { return reinterpret_cast<word*>(this + 1)[node_index]; }
  static std::size_t bytes(std::size_t node_ranks) { return sizeof(staged_table) + node_ranks * sizeof(word); }
};

/// What this rank writes to one other. Its ring is made at the first write.
class staged_writer {
 public:
  staged_writer(const communicator& comm, staged_table& theirs) : comm_(comm), theirs_(&theirs) {}
  staged_writer(const staged_writer&) = delete;
  staged_writer& operator=(const staged_writer&) = delete;

  /// Never waits.
  /// @return false: no room, or another thread is at it; to be written in another way
  bool try_write(std::size_t at, std::span<const std::byte> data);
  /// Null: nothing has been written yet.
  staged_ring* ring() const { return ring_.load(std::memory_order_acquire); }
  /// Gives its memory back when `gone` says so. Nothing is written any more.
  void retire(const std::shared_ptr<const bool>& gone);

 private:
  bool make_ring();

  const communicator& comm_;
  staged_table* theirs_;
  std::atomic_flag busy_;
  bool is_refused_ = false;  // there was no memory for it
  arena_block memory_;
  std::atomic<staged_ring*> ring_{nullptr};
  window_ring_writer<machine_words, staged_ring::windows> side_;
};

}  // namespace wherry
