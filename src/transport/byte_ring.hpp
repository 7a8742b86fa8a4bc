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

/// The writer's side. Its memory belongs to the communicator and goes when the arena goes.
class ring_writer : public window_ring_writer<> {
 public:
  /// Local. Lies in the arena if there are readers, and otherwise on the heap.
  /// @param myself the reader that does not read because it is the writer; -1: all readers read
  ring_writer(const communicator& comm, int readers, int myself = -1);
  ring_writer(const ring_writer&) = delete;
  ring_writer& operator=(const ring_writer&) = delete;

  std::uint64_t offset() const { return offset_; }
  byte_window& window(std::uint64_t number) { return windows_[number % windows]; }
  /// Copies bytes into a window that may be written.
  void put(std::byte* in_window, const std::byte* from, std::size_t bytes) {
    to_readers_.message(in_window, from, bytes);
  }
  /// The window that `abandon` publishes.
  byte_window& last_word() { return windows_[windows]; }

  /// Allocates the windows, once.
  void prepare();

 private:
  detail::node_arena* arena_;
  std::uint64_t offset_ = 0;
  byte_window* windows_ = nullptr;
  copies_for_reader to_readers_{reader_distance::where_writers_only_write};
  std::unique_ptr<std::byte[]> heap_words_;
  std::unique_ptr<byte_window[]> heap_windows_;
};

/// A reader's side.
class ring_reader : public window_ring_reader<> {
 public:
  /// @param owner the writer's index among the node's ranks
  /// @param slot the number of this reader among the writer's readers
  ring_reader(const communicator& comm, int owner, std::uint64_t offset, int slot);

  /// The window that is ready.
  const byte_window& window() const;

 private:
  detail::node_arena* arena_;
  int owner_;
};

/// Appends the ranks of this node that have not read all of the ring. Reader number i of the ring is the rank with
/// index i on the node.
void append_readers_behind(const communicator& comm, const ring_writer& ring, std::vector<int>& ranks);

}  // namespace wherry
