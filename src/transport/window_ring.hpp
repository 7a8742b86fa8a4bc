// A ring of windows with one writer and any number of readers, which need not read the same windows at the same time:
// the words that all see, and what either side does with them. Windows are numbered on and on; the ring holds the last
// few. Nothing is ever reset. Free of MPI and of what a window is: see shared_channel.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "machine_words.hpp"

namespace wherry {

/// Why a reader has given a stream up.
struct ring_reason {
  char text[168] = "";

  ring_reason() = default;
  explicit ring_reason(std::string_view why) { std::memcpy(text, why.data(), std::min(why.size(), sizeof text - 1)); }
};

/// What one reader tells the writer. In the writer's memory, written by the reader.
template <class Words = machine_words> struct ring_reader_words {
  template <class T> using atomic = typename Words::template atomic<T>;

  alignas(64) atomic<std::uint64_t> taken{0};  ///< windows below this number are free as far as it is concerned
  atomic<std::uint64_t> accepted{0};           ///< 1 + the first window of the stream accepted last
  atomic<std::uint64_t> given_up{0};           ///< the same of the stream given up last
  typename Words::template plain<ring_reason> why{};
};

/// What the writer tells the readers.
template <class Words = machine_words> struct ring_writer_words {
  template <class T> using atomic = typename Words::template atomic<T>;

  alignas(64) atomic<std::uint64_t> written{0};  ///< windows below this number are complete
  atomic<std::uint64_t> windows{0};              ///< where they lie in the writer's arena
};

/// The writer's side. A stream is known by the number of its first window; a reader answers it once told of it.
template <class Words = machine_words, std::uint64_t Windows = 8> class window_ring_writer {
 public:
  static constexpr std::uint64_t windows = Windows;

  window_ring_writer() = default;
  /// @param myself which of the readers does not read since it is the writer; -1: all read
  window_ring_writer(ring_writer_words<Words>& words, ring_reader_words<Words>* readers, int count, int myself = -1)
      : words_(&words), readers_(readers), count_(count), myself_(myself) {}

  int readers() const { return count_; }
  /// Number of the window to be published next.
  std::uint64_t next() const { return next_; }
  void lie_at(std::uint64_t place) { words_->windows.store(place, std::memory_order_release); }

  /// Whether no reader needs what lies where this window is to be written.
  bool is_free(std::uint64_t number) {
    if (number < taken_by_all_ + windows) return true;
    taken_by_all_ = next_;
    for (int r = 0; r < count_; ++r)
      if (r != myself_) taken_by_all_ = std::min(taken_by_all_, taken(r));
    return number < taken_by_all_ + windows;
  }
  /// The window of number `next` has been written.
  void publish() { words_->written.store(++next_, std::memory_order_release); }

  /// Whether this reader has not read all yet.
  bool is_behind(int slot) const { return slot != myself_ && taken(slot) < next_; }
  bool drained() const {
    for (int r = 0; r < count_; ++r)
      if (is_behind(r)) return false;
    return true;
  }

  bool has_accepted(int slot, std::uint64_t stream) const {
    return readers_[slot].accepted.load(std::memory_order_acquire) > stream;
  }
  bool has_given_up(int slot, std::uint64_t stream) const {
    return readers_[slot].given_up.load(std::memory_order_acquire) > stream;
  }
  /// Of a reader that has given up.
  ring_reason why(int slot) const { return readers_[slot].why; }

 private:
  std::uint64_t taken(int slot) const { return readers_[slot].taken.load(std::memory_order_acquire); }

  ring_writer_words<Words>* words_ = nullptr;
  ring_reader_words<Words>* readers_ = nullptr;
  int count_ = 0, myself_ = -1;
  std::uint64_t next_ = 0, taken_by_all_ = 0;
};

/// A reader's side.
template <class Words = machine_words> class window_ring_reader {
 public:
  window_ring_reader(const ring_writer_words<Words>& words, ring_reader_words<Words>& mine)
      : words_(&words), mine_(&mine), position_(mine.taken.load(std::memory_order_relaxed)) {}

  bool ready() const { return words_->written.load(std::memory_order_acquire) > position_; }
  std::uint64_t place() const { return words_->windows.load(std::memory_order_acquire); }
  /// Number of the window that is, or will be, ready.
  std::uint64_t position() const { return position_; }
  /// Where several streams of this rank take turns at the ring: goes on where the others have come to.
  void catch_up() { position_ = mine_->taken.load(std::memory_order_acquire); }
  /// It may be written over.
  void release() { mine_->taken.store(++position_, std::memory_order_release); }
  /// Begins at this window; all before it are done with.
  void begin_at(std::uint64_t number) {
    position_ = number;
    mine_->taken.store(number, std::memory_order_release);
  }

  void accept(std::uint64_t stream) { mine_->accepted.store(stream + 1, std::memory_order_release); }
  void give_up(std::uint64_t stream, std::string_view why) {
    mine_->why = ring_reason(why);
    mine_->given_up.store(stream + 1, std::memory_order_release);
  }

 private:
  const ring_writer_words<Words>* words_;
  ring_reader_words<Words>* mine_;
  std::uint64_t position_;
};

}  // namespace wherry
