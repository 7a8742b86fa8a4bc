// How a rank writes messages into another's memory from afar, start after start: two slots with the receiver, a word of
// arrivals beside them, and a word of credit with the sender; the words may be a segment's notifications. Each word is
// polled by the rank that has it and written by the other. Starts are numbered on from 1 and nothing is ever reset;
// start n goes to slot n mod 2, and is written only once the receiver has returned n-2 as credit. Free of MPI and of
// how one writes from afar: see shared_channel.hpp.
//
// What both sides are given for that: `write(number)` begins to write a word to the other side, from a number that
// stays where and what it is until `flush()` says that all this side has begun to write is there. A flush that says no
// is asked again.
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> using notified_word = typename Words::template atomic<std::uint32_t>;

/// The number of a start as a word, which is never 0.
constexpr std::uint32_t word_of_start(std::uint64_t start) {
  return static_cast<std::uint32_t>((start - 1) % 0xFFFFFFFFu) + 1;
}

/// Whether the other side has come as far as `start`, asked before what lets it go more than one start further: before
/// this side has given that start's credit, or has begun the next.
constexpr bool has_come_to(std::uint64_t start, std::uint32_t word) {
  return start == 0 || word == word_of_start(start) || word == word_of_start(start + 1);
}

/// The sender's side. A start begins when the one before is done.
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

  /// @param put called with the slot's number, where it is free: begins to write the message there
  template <class Put> void try_put(Put&& put) {
    if (now_ != phase::needs_credit || !has_room()) return;
    put(start_ & 1);
    now_ = phase::put;
  }

  /// The message is there before the word that says so.
  template <class Flush, class Write> void try_notify(Flush&& flush, Write&& write) {
    if (now_ != phase::put || !flush()) return;
    word_ = word_of_start(start_);
    write(word_);
    now_ = phase::notified;
  }

  template <class Flush> void try_end(Flush&& flush) {
    if (now_ == phase::notified && flush()) now_ = phase::done;
  }

  /// Is the slot of this start free?
  bool has_room() const { return has_read(start_ < 2 ? 0 : start_ - 2); }

  /// Whether the receiver is through with a start, at most the last but one of those it has been told of.
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

  /// The next start may have arrived, too. Says nothing once this start is unpacked: see `is_missing`.
  bool is_ready() const { return has_come_to(start_, arrived_->load(std::memory_order_acquire)); }

  /// Not so once it is unpacked: the sender, who may have its credit, then goes on to starts that this side knows
  /// nothing of.
  bool is_missing() const { return now_ == phase::waiting && !is_ready(); }

  /// @param unpack called with the slot's number, which is the sender's again afterwards
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
