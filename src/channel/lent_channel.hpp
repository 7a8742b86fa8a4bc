// How one rank lets another of its node read memory that the host does not touch, a device's, start after start: the
// words that both see, in the sender's arena. Two buffers alternate; the number of the start says which one. Both sides
// ask their device before they say anything: a word never runs before the bytes. Free of MPI and of devices, so that
// two threads can run it (tests/channel/unit/lent_channel.cpp) and a model can try all orders (tests/models).
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> struct lent_channel {
  using word = typename Words::template atomic<std::uint64_t>;

  alignas(64) word ready{0};  ///< sender: number of the last start whose bytes are in their buffer
  alignas(64) word taken{0};  ///< receiver: number of the last start whose bytes it has read
  word ended{0};              ///< receiver: 1 when it never comes back to the memory

  static std::uint32_t buffer_of(std::uint64_t start) { return static_cast<std::uint32_t>(start & 1); }
};

/// The sender's side. Starts are numbered from 1.
template <class Words = machine_words> class lent_sender {
 public:
  lent_sender() = default;
  explicit lent_sender(lent_channel<Words>& channel) : channel_(&channel) {}

  /// May the buffer of this start be written? The one before may still be read, out of the other.
  bool has_room(std::uint64_t start) {
    if (taken_ + 2 < start) taken_ = channel_->taken.load(std::memory_order_acquire);
    return taken_ + 2 >= start;
  }
  /// The bytes of this start are there.
  void tell(std::uint64_t start) { channel_->ready.store(start, std::memory_order_release); }
  /// May the memory be somebody else's?
  bool has_ended() const { return channel_->ended.load(std::memory_order_acquire) != 0; }

 private:
  lent_channel<Words>* channel_ = nullptr;
  std::uint64_t taken_ = 0;  // as far as is known here
};

/// The receiver's side.
template <class Words = machine_words> class lent_receiver {
 public:
  lent_receiver() = default;
  explicit lent_receiver(lent_channel<Words>& channel) : channel_(&channel) {}

  /// Are the bytes of this start there? The sender may be one start ahead.
  bool is_ready(std::uint64_t start) const { return channel_->ready.load(std::memory_order_acquire) >= start; }
  /// They have been read, and so have those of the starts before.
  void take(std::uint64_t start) { channel_->taken.store(start, std::memory_order_release); }
  void end() { channel_->ended.store(1, std::memory_order_release); }

 private:
  lent_channel<Words>* channel_ = nullptr;
};

}  // namespace wherry
