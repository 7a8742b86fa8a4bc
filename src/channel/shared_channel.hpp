// One rank sends to another rank of its node, start after start. These are the words that both see, and what each side
// does with them. The words lie in the sender's arena, before two staging buffers. Free of MPI and of the data, so that
// two threads can run it (tests/transport/unit/shared_channel.cpp) and a model can try all orders (tests/models).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// The sender's words about one start. Two such notices alternate, so that the next start can follow before the
/// receiver has looked.
template <class Words> struct alignas(64) shared_notice {
  template <class T> using atomic = typename Words::template atomic<T>;
  template <class T> using plain = typename Words::template plain<T>;

  atomic<std::uint64_t> ready{0};    ///< sender: the start whose data is here
  plain<std::uint32_t> buffer{0};    ///< sender: the staging buffer that holds it
  plain<std::uint32_t> in_place{0};  ///< sender: 1 if long rows are to be read from its fields
  /// Decides which side moves the long rows: 2 × the number of the start, + 1 once the receiver or the sender has
  /// claimed them.
  alignas(64) atomic<std::uint64_t> claim{0};
  atomic<std::uint64_t> late{0};  ///< sender: the start whose long rows it has packed after all

  /// Relaxed order is enough: each side learns of the other's writes by `ready`, `late` and `taken`.
  bool try_claim(std::uint64_t start) {
    std::uint64_t unclaimed = 2 * start;
    return claim.compare_exchange_strong(unclaimed, unclaimed + 1, std::memory_order_relaxed);
  }
};

template <class Words = machine_words> struct shared_channel {
  shared_notice<Words> notice[2];
  /// receiver: the last start whose data it has copied out
  alignas(64) typename Words::template atomic<std::uint64_t> taken{0};

  bool has_taken(std::uint64_t start) const { return taken.load(std::memory_order_acquire) >= start; }
};

/// The sender's side. Starts are numbered from 1. A start begins when the previous one is done.
template <class Words = machine_words> class shared_sender {
 public:
  enum class phase : std::uint32_t { done, deferred, reader_may_read };

  shared_sender() = default;
  explicit shared_sender(shared_channel<Words>& channel) : channel_(&channel) {}

  phase now() const { return now_; }
  /// The last start that the receiver has been told of, or will be.
  std::uint64_t last_sent() const { return std::max(last_use_[0], last_use_[1]); }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::deferred;
  }

  /// Packs and tells the receiver, if the receiver has read the start before the last one.
  /// @param pack called with the number of the staging buffer: packs everything that is not read in place, and returns
  ///   true if long rows are to be read from the fields, which stay as they are until this start is done
  template <class Pack> void try_send(Pack&& pack) {
    if (taken_ + 2 < start_) taken_ = channel_->taken.load(std::memory_order_acquire);
    if (taken_ + 2 < start_) return;
    buffer_ = last_use_[0] <= taken_ ? 0 : 1;  // at most the previous start was not taken yet
    last_use_[buffer_] = start_;
    const bool in_place = pack(buffer_);
    auto& notice = this->notice();
    if (in_place) notice.claim.store(2 * start_, std::memory_order_relaxed);
    notice.buffer = buffer_;
    notice.in_place = in_place ? 1 : 0;
    notice.ready.store(start_, std::memory_order_release);
    now_ = in_place ? phase::reader_may_read : phase::done;
  }

  /// Says that the receiver is known to have taken `start`: it also sends to this side, and has sent the message of the
  /// start after that one. The word `taken`, which is in its cache, need then not be fetched.
  void has_heard_taken(std::uint64_t start) { taken_ = std::max(taken_, start); }

  /// True if the receiver has copied this start out, which is then done.
  bool is_taken() {
    if (!channel_->has_taken(start_)) return false;
    now_ = phase::done;
    return true;
  }

  /// Packs the rows that the receiver could have read in place, which ends the start; does nothing if the receiver is
  /// reading them.
  template <class Pack> void pack_late(Pack&& pack) {
    auto& notice = this->notice();
    if (!notice.try_claim(start_)) return;
    pack(buffer_);
    notice.late.store(start_, std::memory_order_release);
    now_ = phase::done;
  }

 private:
  shared_notice<Words>& notice() const { return channel_->notice[start_ & 1]; }

  shared_channel<Words>* channel_ = nullptr;
  std::uint64_t start_ = 0;
  std::uint64_t last_use_[2]{};  // the last start that used each staging buffer
  std::uint64_t taken_ = 0;      // as far as this side knows
  std::uint32_t buffer_ = 0;
  phase now_ = phase::done;
};

/// The receiver's side.
template <class Words = machine_words> class shared_receiver {
 public:
  enum class phase : std::uint32_t { done, waiting, staged_done };

  shared_receiver() = default;
  explicit shared_receiver(shared_channel<Words>& channel) : channel_(&channel) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::waiting;
  }

  bool is_ready() const { return notice().ready.load(std::memory_order_acquire) == start_; }

  /// True if this side waits for the start. False once it is taken: the sender may then continue with starts that this
  /// side does not know.
  bool is_missing() const { return now_ == phase::waiting && !is_ready(); }

  /// @param unpack_staged,unpack_rows each called with the number of the staging buffer, for the two parts of the
  ///   message
  /// @param read_rows called in place of `unpack_rows`: copies from the sender's fields
  template <class UnpackStaged, class ReadRows, class UnpackRows>
  void try_receive(UnpackStaged&& unpack_staged, ReadRows&& read_rows, UnpackRows&& unpack_rows) {
    auto& notice = this->notice();
    if (now_ == phase::waiting) {
      if (!is_ready()) return;
      unpack_staged(std::uint32_t{notice.buffer});
      now_ = phase::staged_done;
    }
    if (notice.in_place != 0 && notice.try_claim(start_)) {
      read_rows();
    } else {
      if (notice.in_place != 0 && notice.late.load(std::memory_order_acquire) != start_) return;
      unpack_rows(std::uint32_t{notice.buffer});
    }
    now_ = phase::done;
    channel_->taken.store(start_, std::memory_order_release);
  }

 private:
  shared_notice<Words>& notice() const { return channel_->notice[start_ & 1]; }

  shared_channel<Words>* channel_ = nullptr;
  std::uint64_t start_ = 0;
  phase now_ = phase::done;
};

}  // namespace wherry
