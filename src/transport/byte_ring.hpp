// A ring of byte windows in node-shared memory, by the protocol of window_ring.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "byte_window.hpp"
#include "channel/window_ring.hpp"
#include "core/copies_for_reader.hpp"

namespace wherry {

/// The writer's side. Its memory is the communicator's: it goes when the arena goes.
class ring_writer : public window_ring_writer<> {
 public:
  /// Local. In the arena where there are readers, else on the heap.
  /// @param myself which of the readers does not read since it is the writer; -1: all read
  ring_writer(const communicator& comm, int readers, int myself = -1);
  ring_writer(const ring_writer&) = delete;
  ring_writer& operator=(const ring_writer&) = delete;

  std::uint64_t offset() const { return offset_; }
  byte_window& window(std::uint64_t number) { return windows_[number % windows]; }
  /// Fills a window that may be written, or a part of it.
  void put(std::byte* in_window, const std::byte* from, std::size_t bytes) {
    to_readers_.message(in_window, from, bytes);
  }
  /// What `abandon` publishes.
  byte_window& last_word() { return windows_[windows]; }

  /// Gets memory for the windows, once.
  void prepare();

 private:
  node_arena* arena_;
  std::uint64_t offset_ = 0;
  byte_window* windows_ = nullptr;
  copies_for_reader to_readers_{reader_distance::where_writers_only_write};
  std::unique_ptr<std::byte[]> heap_words_;
  std::unique_ptr<byte_window[]> heap_windows_;
};

/// A reader's side.
class ring_reader : public window_ring_reader<> {
 public:
  /// @param owner place of the writer among the node's ranks
  /// @param slot which of the writer's readers this is
  ring_reader(const communicator& comm, int owner, std::uint64_t offset, int slot);

  /// The one that is ready.
  const byte_window& window() const;

 private:
  node_arena* arena_;
  int owner_;
};

/// The ranks of this node that have not read all of the ring, one reader each.
void append_readers_behind(const communicator& comm, const ring_writer& ring, std::vector<int>& ranks);

}  // namespace wherry
