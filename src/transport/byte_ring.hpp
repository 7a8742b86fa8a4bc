// A ring of windows with one writer and any number of readers, which need not read the same windows at the same time.
// Windows are numbered on and on; the ring holds the last few. Nothing is ever reset.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "wherry/core/communicator.hpp"

#include "byte_window.hpp"

namespace wherry {

/// What one reader tells the writer. In the writer's arena, written by the reader.
struct ring_reader_words {
  alignas(64) std::atomic<std::uint64_t> taken{0};  // windows below this number are free as far as it is concerned
  std::atomic<std::uint64_t> accepted{0};           // 1 + the first window of the stream accepted last
  std::atomic<std::uint64_t> given_up{0};           // the same of the stream given up last
  char why[168] = "";                               // it was given up
};

/// What the writer tells the readers. The words of each reader follow.
struct ring_writer_words {
  alignas(64) std::atomic<std::uint64_t> written{0};  // windows below this number are complete
  std::atomic<std::uint64_t> windows{0};              // where they lie in the writer's arena

  ring_reader_words* readers() { return reinterpret_cast<ring_reader_words*>(this + 1); }
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "flags in shared memory must not need a lock");

/// The writer's side. Its memory is the communicator's: it goes when the arena goes.
class ring_writer {
 public:
  static constexpr std::uint64_t windows = 8;

  /// Local. In the arena where there are readers, else on the heap.
  /// @param myself which of the readers does not read since it is the writer; -1: all read
  ring_writer(const communicator& comm, int readers, int myself = -1);
  ring_writer(const ring_writer&) = delete;
  ring_writer& operator=(const ring_writer&) = delete;

  std::uint64_t offset() const { return offset_; }
  int readers() const { return readers_; }

  /// Number of the window to be published next.
  std::uint64_t next() const { return next_; }
  byte_window& window(std::uint64_t number) { return windows_[number % windows]; }
  /// Whether no reader needs what lies where this window is to be written.
  bool is_free(std::uint64_t number);
  bool drained() const;
  void publish();
  /// Whether this reader has not read all yet.
  bool is_behind(int slot) const {
    return slot != myself_ && reader(slot).taken.load(std::memory_order_acquire) != next_;
  }

  /// Gets memory for the windows, once.
  void prepare();
  const ring_reader_words& reader(int slot) const { return words_->readers()[slot]; }

 private:
  node_arena* arena_;
  int readers_, myself_;
  std::uint64_t offset_ = 0, next_ = 0, taken_by_all_ = 0;
  ring_writer_words* words_ = nullptr;
  byte_window* windows_ = nullptr;
  std::unique_ptr<std::byte[]> heap_words_;
  std::unique_ptr<byte_window[]> heap_windows_;
};

/// A reader's side.
class ring_reader {
 public:
  /// @param owner place of the writer among the node's ranks
  /// @param slot which of the writer's readers this is
  ring_reader(const communicator& comm, int owner, std::uint64_t offset, int slot);

  bool ready() const { return words_->written.load(std::memory_order_acquire) > position_; }
  /// The one that is ready.
  const byte_window& window() const;
  /// It may be written over.
  void release() { mine_->taken.store(++position_, std::memory_order_release); }
  std::uint64_t position() const { return position_; }
  /// Begins at this window; all before it are done with.
  void begin_at(std::uint64_t number);
  void accept(std::uint64_t stream) { mine_->accepted.store(stream + 1, std::memory_order_release); }
  void give_up(std::uint64_t stream, std::string_view why);

 private:
  node_arena* arena_;
  int owner_;
  ring_writer_words* words_;
  ring_reader_words* mine_;
  std::uint64_t position_;
};

}  // namespace wherry
