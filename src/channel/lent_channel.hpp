// One rank lets another rank of its node read memory that the host does not touch, such as a device's, start after
// start. These are the words that both see, in the sender's arena. Two buffers alternate by the number of the start.
// Each side waits for its device before it writes a word, so that a word is never ahead of the bytes. Free of MPI and
// of devices, so that two threads can run it (tests/channel/unit/lent_channel.cpp) and a model can try all orders
// (tests/models).
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> struct lent_channel {
  using word = typename Words::template atomic<std::uint64_t>;

  alignas(64) word ready{0};  ///< sender: the last start whose bytes are in their buffer
  alignas(64) word taken{0};  ///< receiver: the last start whose bytes it has read
  word ended{0};              ///< receiver: 1 when it will never read the memory again

  static std::uint32_t buffer_of(std::uint64_t start) { return static_cast<std::uint32_t>(start & 1); }
};

/// The sender's side. Starts are numbered from 1.
template <class Words = machine_words> class lent_sender {
 public:
  lent_sender() = default;
  explicit lent_sender(lent_channel<Words>& channel) : channel_(&channel) {}

  /// True if the buffer of this start may be written. The receiver may still read the previous start from the other
  /// buffer.
  bool has_room(std::uint64_t start) {
    if (taken_ + 2 < start) taken_ = channel_->taken.load(std::memory_order_acquire);
    return taken_ + 2 >= start;
  }
  /// Says that the bytes of this start are in the buffer.
  void tell(std::uint64_t start) { channel_->ready.store(start, std::memory_order_release); }
  /// True if the receiver will not read the memory again.
  bool has_ended() const { return channel_->ended.load(std::memory_order_acquire) != 0; }

 private:
  lent_channel<Words>* channel_ = nullptr;
  std::uint64_t taken_ = 0;  // as far as this side knows
};

/// The receiver's side.
template <class Words = machine_words> class lent_receiver {
 public:
  lent_receiver() = default;
  explicit lent_receiver(lent_channel<Words>& channel) : channel_(&channel) {}

  /// True if the bytes of this start are in the buffer. The sender may be one start ahead.
  bool is_ready(std::uint64_t start) const { return channel_->ready.load(std::memory_order_acquire) >= start; }
  /// Says that the bytes of this start, and of those before it, have been read.
  void take(std::uint64_t start) { channel_->taken.store(start, std::memory_order_release); }
  void end() { channel_->ended.store(1, std::memory_order_release); }

 private:
  lent_channel<Words>* channel_ = nullptr;
};

}  // namespace wherry
