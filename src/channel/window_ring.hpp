// A ring of windows with one writer and any number of readers, which may be at different windows. These are the words
// that all see, and what each side does with them. Windows are numbered without end, and the ring holds the last few.
// Nothing is ever reset. Free of MPI and of the contents of a window: see shared_channel.hpp.
//
// Both sides may give up a stream and never come back. A writer whose ring is full ends the stream by a window that has
// a place of its own beside the ring. A reader says in the word `left` that it takes no more windows. From then on, its
// word `taken` belongs to the side that claims it. If the reader comes again in time, it claims the word back and reads
// on. If the writer needs room, it claims the word, continues without this reader, and hands the word back at the end
// of the stream.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "machine_words.hpp"

namespace wherry {

/// The reason for which a reader has given up a stream.
struct ring_reason {
  char text[152] = "";

  ring_reason() = default;
  explicit ring_reason(std::string_view why) { std::memcpy(text, why.data(), std::min(why.size(), sizeof text - 1)); }
};

/// The values of `ring_reader_words::left`.
namespace ring_left {
inline constexpr std::uint64_t not_at_all = 0, claimed = 1;
constexpr std::uint64_t through(std::uint64_t stream) { return 2 * (stream + 1); }
constexpr bool is_claimed(std::uint64_t left) { return (left & claimed) != 0; }
constexpr bool covers(std::uint64_t left, std::uint64_t stream) { return left >= through(stream); }
}  // namespace ring_left

/// The words by which one reader tells the writer, and, in `passed`, the writer tells the reader. They lie in the
/// writer's memory.
template <class Words = machine_words> struct ring_reader_words {
  template <class T> using atomic = typename Words::template atomic<T>;

  alignas(64) atomic<std::uint64_t> taken{0};  ///< this reader needs no window below this number
  atomic<std::uint64_t> accepted{0};           ///< 1 + the first window of the stream that was accepted last
  atomic<std::uint64_t> given_up{0};           ///< 1 + the first window of the stream that was given up last
  atomic<std::uint64_t> left{0};    ///< see ring_left: the reader takes no windows up to the end of this stream
  atomic<std::uint64_t> passed{0};  ///< by the writer: 1 + the last stream that it continued without this reader
  typename Words::template plain<ring_reason> why{};
};

/// The words by which the writer tells the readers.
template <class Words = machine_words> struct ring_writer_words {
  template <class T> using atomic = typename Words::template atomic<T>;

  alignas(64) atomic<std::uint64_t> written{0};  ///< windows below this number are complete
  atomic<std::uint64_t> abandoned{0};  ///< 1 + the number that ended the last stream that was abandoned without room
  atomic<std::uint64_t> windows{0};    ///< the place of the windows in the writer's arena
};

/// The writer's side. A stream has a number that grows; a reader knows it by the number of its first window, and
/// answers it once it is told of it.
template <class Words = machine_words, std::uint64_t Windows = 8> class window_ring_writer {
 public:
  static constexpr std::uint64_t windows = Windows;

  window_ring_writer() = default;
  /// @param myself the reader that does not read because it is the writer; -1: all read
  window_ring_writer(ring_writer_words<Words>& words, ring_reader_words<Words>* readers, int count, int myself = -1)
      : words_(&words), readers_(readers), count_(count), myself_(myself) {}

  int readers() const { return count_; }
  /// The number of the window that is published next.
  std::uint64_t next() const { return next_; }
  void lie_at(std::uint64_t place) { words_->windows.store(place, std::memory_order_release); }

  /// Begins a stream, to which the next windows belong.
  void begin(std::uint64_t stream) {
    stream_ = stream;
    open_ = true;
  }
  /// Ends the stream, whose last window has been published.
  void end() {
    open_ = false;
    for (int r = 0; r < count_ && claimed_ > 0; ++r)
      if (ring_left::is_claimed(readers_[r].left.load(std::memory_order_relaxed))) hand_back(r);
  }

  /// True if no reader needs the window that lies where this one is to be written.
  bool is_free(std::uint64_t number) {
    if (is_passed(number)) return true;
    taken_by_all_ = next_;
    for (int r = 0; r < count_; ++r)
      if (r != myself_) taken_by_all_ = std::min(taken_by_all_, passed(r));
    return is_passed(number);
  }
  /// Publishes window `next`, which has been written.
  void publish() { words_->written.store(++next_, std::memory_order_release); }

  /// True if the place beside the ring is free.
  bool may_abandon() { return is_free(next_) || abandoned_ <= taken_by_all_; }
  /// Ends the stream without room: its last window lies beside the ring.
  void abandon() {
    abandoned_ = ++next_;
    words_->abandoned.store(abandoned_, std::memory_order_release);
    end();
  }

  /// True if this reader has not read all windows, and the writer has not left it behind.
  bool is_behind(int slot) const {
    return slot != myself_ && taken(slot) < next_ &&
           !ring_left::is_claimed(readers_[slot].left.load(std::memory_order_relaxed));
  }
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
  /// The reason of a reader that has given up.
  ring_reason why(int slot) const { return readers_[slot].why; }

 private:
  std::uint64_t taken(int slot) const { return readers_[slot].taken.load(std::memory_order_acquire); }
  bool is_passed(std::uint64_t number) const { return number < taken_by_all_ + windows && abandoned_ <= taken_by_all_; }

  /// Windows below this number need not wait for this reader.
  std::uint64_t passed(int slot) {
    auto& left = readers_[slot].left;
    const auto before = taken(slot);
    if (before == next_ || !open_) return before;
    auto value = left.load(std::memory_order_acquire);
    if (ring_left::is_claimed(value)) return next_;
    if (!ring_left::covers(value, stream_)) return before;
    if (!left.compare_exchange_strong(value, value | ring_left::claimed, std::memory_order_acq_rel)) return before;
    ++claimed_;
    return next_;
  }
  /// Lets the reader continue where this stream ends. It may have left the next stream, too.
  void hand_back(int slot) {
    auto& words = readers_[slot];
    words.taken.store(next_, std::memory_order_release);
    words.passed.store(stream_ + 1, std::memory_order_relaxed);
    auto left = words.left.load(std::memory_order_relaxed);
    const auto without_claim = [&] {
      return ring_left::covers(left, stream_ + 1) ? left & ~ring_left::claimed : ring_left::not_at_all;
    };
    while (!words.left.compare_exchange_strong(left, without_claim(), std::memory_order_acq_rel)) {
    }
    --claimed_;
  }

  ring_writer_words<Words>* words_ = nullptr;
  ring_reader_words<Words>* readers_ = nullptr;
  int count_ = 0, myself_ = -1, claimed_ = 0;
  bool open_ = false;
  std::uint64_t stream_ = 0, next_ = 0, taken_by_all_ = 0;
  std::uint64_t abandoned_ = 0;  // the place beside the ring is free when all have taken the windows below
};

/// A reader's side.
template <class Words = machine_words> class window_ring_reader {
 public:
  window_ring_reader(const ring_writer_words<Words>& words, ring_reader_words<Words>& mine)
      : words_(&words), mine_(&mine), position_(mine.taken.load(std::memory_order_relaxed)) {}

  bool ready() const { return words_->written.load(std::memory_order_acquire) > position_ || is_beside(); }
  /// True if the ready window lies beside the ring: it is the last one of a stream that was abandoned.
  bool is_beside() const { return words_->abandoned.load(std::memory_order_acquire) == position_ + 1; }
  std::uint64_t place() const { return words_->windows.load(std::memory_order_acquire); }
  /// The number of the window that is ready, or that will be ready next.
  std::uint64_t position() const { return position_; }
  /// Advances to the place that the other streams of this rank, or the writer, have reached, if several streams take
  /// turns at the ring or this reader has left one. False: the writer still continues without this reader, and nothing
  /// may be read.
  bool catch_up() {
    auto left = mine_->left.load(std::memory_order_acquire);
    if (left != ring_left::not_at_all &&
        (ring_left::is_claimed(left) ||
         !mine_->left.compare_exchange_strong(left, ring_left::not_at_all, std::memory_order_acq_rel)))
      return false;
    position_ = mine_->taken.load(std::memory_order_acquire);
    return true;
  }
  /// True if the writer has continued this stream without this reader. Ask after `catch_up`.
  bool was_passed(std::uint64_t stream) const { return mine_->passed.load(std::memory_order_relaxed) > stream; }
  /// Releases the window, which may then be overwritten.
  void release() { mine_->taken.store(++position_, std::memory_order_release); }
  /// Begins at this window. The reader is done with all windows before it.
  void begin_at(std::uint64_t number) {
    position_ = number;
    mine_->taken.store(number, std::memory_order_release);
  }

  void accept(std::uint64_t stream) { mine_->accepted.store(stream + 1, std::memory_order_release); }
  void give_up(std::uint64_t stream, std::string_view why) {
    mine_->why = ring_reason(why);
    mine_->given_up.store(stream + 1, std::memory_order_release);
  }
  /// Takes no more windows of this stream and of those before it, until `catch_up`.
  void leave(std::uint64_t stream) {
    auto left = mine_->left.load(std::memory_order_relaxed);
    while (!ring_left::covers(left, stream) &&
           !mine_->left.compare_exchange_strong(left, ring_left::through(stream) | (left & ring_left::claimed),
                                                std::memory_order_acq_rel)) {
    }
  }

 private:
  const ring_writer_words<Words>* words_;
  ring_reader_words<Words>* mine_;
  std::uint64_t position_;
};

}  // namespace wherry
