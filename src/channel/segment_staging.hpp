// Staged writes of a segment. A rank has one ring for each rank of its node whose memory it does not reach by stores,
// and that rank has a table of the rings in its block.
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

/// A ring. It lies in the writer's arena.
struct staged_ring {
  static constexpr std::uint64_t windows = 64;
  static constexpr std::size_t in_line = 48, chunk = 2048;
  static constexpr std::size_t most_bytes = windows / 2 * chunk;  // half of the ring, so that there is room more often

  struct alignas(64) notice {
    std::uint64_t at;
    std::uint64_t bytes;
    std::byte data[in_line];  // longer data is in the chunk of the window
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

/// Lies in the block of a rank whose memory is written in this way: the places of the other ranks' rings in their
/// arenas.
struct staged_table {
  using word = std::atomic<std::uint64_t>;
  word closed;  // its segment has ended, so that its memory may not exist any more

  /// The ring of a writer, by its place in the node: 1 + the place in its arena; 0: there is none yet.
  word& ring_of(int node_index) { return reinterpret_cast<word*>(this + 1)[node_index]; }
  static std::size_t bytes(std::size_t node_ranks) { return sizeof(staged_table) + node_ranks * sizeof(word); }
};

/// The writes of this rank to one other rank. The ring is made at the first write.
class staged_writer {
 public:
  staged_writer(const communicator& comm, staged_table& theirs) : comm_(comm), theirs_(&theirs) {}
  staged_writer(const staged_writer&) = delete;
  staged_writer& operator=(const staged_writer&) = delete;

  /// Never waits.
  /// @return false if there is no room, or another thread writes: the data must be written in another way
  bool try_write(std::size_t at, std::span<const std::byte> data);
  /// The ring; null if nothing was written yet.
  staged_ring* ring() const { return ring_.load(std::memory_order_acquire); }
  /// Gives the ring's memory back when `gone` becomes true. Nothing may be written any more.
  void retire(const std::shared_ptr<const bool>& gone);

 private:
  bool make_ring();

  const communicator& comm_;
  staged_table* theirs_;
  std::atomic_flag busy_;
  bool is_refused_ = false;  // there was no memory for a ring
  arena_block memory_;
  std::atomic<staged_ring*> ring_{nullptr};
  window_ring_writer<machine_words, staged_ring::windows> side_;
};

}  // namespace wherry
