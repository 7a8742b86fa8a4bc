// A rank writes messages into another rank's memory from afar, start after start. The receiver has two slots and,
// beside them, a word of arrivals; the sender has a word of credit. The words may be notifications of a segment. Each
// word is polled by the rank that has it and written by the other rank. Starts are numbered from 1 and nothing is ever
// reset: start n uses slot n mod 2, and is written only when the receiver has returned n-2 as credit. Free of MPI and
// of the way in which one writes from afar: see shared_channel.hpp.
//
// Both sides are given two functions for that. `write(number)` begins to write a word to the other side; the number
// must stay as it is, where it is, until `flush()` returns true, which means that everything that this side has begun
// to write has arrived. If a flush returns false, it is called again.
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> using notified_word = typename Words::template atomic<std::uint32_t>;

/// The number of a start as a word, which is never 0.
constexpr std::uint32_t word_of_start(std::uint64_t start) {
  return static_cast<std::uint32_t>((start - 1) % 0xFFFFFFFFu) + 1;
}

/// True if the other side has come as far as `start`. It must be asked before anything that lets the other side get
/// more than one start further: before this side has given the credit of that start, or has begun the next one.
constexpr bool has_come_to(std::uint64_t start, std::uint32_t word) {
  return start == 0 || word == word_of_start(start) || word == word_of_start(start + 1);
}

/// The sender's side. A start begins when the previous one is done.
template <class Words = machine_words> class notified_sender {
 public:
  enum class phase : std::uint32_t { done, needs_credit, put, notified };

  notified_sender() = default;
  explicit notified_sender(const notified_word<Words>& credit) : credit_(&credit) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::needs_credit;
  }

  /// @param put called with the number of the slot, when it is free: begins to write the message there
  template <class Put> void try_put(Put&& put) {
    if (now_ != phase::needs_credit || !has_room()) return;
    put(start_ & 1);
    now_ = phase::put;
  }

  /// Writes the word behind the message, so that the message is there first.
  template <class Flush, class Write> void try_notify(Flush&& flush, Write&& write) {
    if (now_ != phase::put || !flush()) return;
    word_ = word_of_start(start_);
    write(word_);
    now_ = phase::notified;
  }

  template <class Flush> void try_end(Flush&& flush) {
    if (now_ == phase::notified && flush()) now_ = phase::done;
  }

  /// True if the slot of this start is free.
  bool has_room() const { return has_read(start_ < 2 ? 0 : start_ - 2); }

  /// True if the receiver is done with `start`, which must be before the last start that it was told of.
  bool has_read(std::uint64_t start) const { return has_come_to(start, credit_->load(std::memory_order_acquire)); }

 private:
  const notified_word<Words>* credit_ = nullptr;
  std::uint64_t start_ = 0;
  std::uint32_t word_ = 0;
  phase now_ = phase::done;
};

/// The receiver's side.
template <class Words = machine_words> class notified_receiver {
 public:
  enum class phase : std::uint32_t { done, waiting, credited };

  notified_receiver() = default;
  explicit notified_receiver(const notified_word<Words>& arrived) : arrived_(&arrived) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::waiting;
  }

  /// True if the message is there; the next start may have arrived, too. It must not be asked after this start was
  /// unpacked: see `is_missing`.
  bool is_ready() const { return has_come_to(start_, arrived_->load(std::memory_order_acquire)); }

  /// True if this side waits for the message. False once it is unpacked: the sender may then have its credit, and
  /// continue with starts that this side does not know.
  bool is_missing() const { return now_ == phase::waiting && !is_ready(); }

  /// @param unpack called with the number of the slot, which belongs to the sender again afterwards
  template <class Unpack, class Write, class Flush> void try_receive(Unpack&& unpack, Write&& write, Flush&& flush) {
    if (now_ == phase::waiting && is_ready()) {
      unpack(start_ & 1);
      word_ = word_of_start(start_);
      write(word_);
      now_ = phase::credited;
    }
    if (now_ == phase::credited && flush()) now_ = phase::done;
  }

 private:
  const notified_word<Words>* arrived_ = nullptr;
  std::uint64_t start_ = 0;
  std::uint32_t word_ = 0;
  phase now_ = phase::done;
};

}  // namespace wherry
