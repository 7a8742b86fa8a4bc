// How one rank sends to another of its node, start after start: the words that both see, and what either side does with
// them. The words lie in the sender's arena, before two staging buffers. Free of MPI and of what is carried, so that
// two threads can run it (tests/transport/unit/shared_channel.cpp) and a model can try all orders (tests/models).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// What the sender says of one start. Two of them alternate, so that a start can follow before the receiver has looked.
template <class Words> struct alignas(64) shared_notice {
  template <class T> using atomic = typename Words::template atomic<T>;
  template <class T> using plain = typename Words::template plain<T>;

  atomic<std::uint64_t> ready{0};    ///< sender: number of the start whose data is here
  plain<std::uint32_t> buffer{0};    ///< sender: the staging buffer it is in
  plain<std::uint32_t> in_place{0};  ///< sender: 1 when long rows are to be read from its fields
  /// Who moves the long rows: 2 × start number, + 1 once the receiver or the sender has taken it upon itself.
  alignas(64) atomic<std::uint64_t> claim{0};
  atomic<std::uint64_t> late{0};  ///< sender: start number when it has packed the long rows after all

  /// Relaxed: what one side has written the other learns of by `ready`, `late` and `taken`.
  bool try_claim(std::uint64_t start) {
    std::uint64_t unclaimed = 2 * start;
    return claim.compare_exchange_strong(unclaimed, unclaimed + 1, std::memory_order_relaxed);
  }
};

template <class Words = machine_words> struct shared_channel {
  shared_notice<Words> notice[2];
  /// receiver: number of the last start whose data it has copied out
  alignas(64) typename Words::template atomic<std::uint64_t> taken{0};

  bool has_taken(std::uint64_t start) const { return taken.load(std::memory_order_acquire) >= start; }
};

/// The sender's side. Starts are numbered from 1; a start begins when the one before is done.
template <class Words = machine_words> class shared_sender {
 public:
  enum class phase : std::uint32_t { done, deferred, reader_may_read };

  shared_sender() = default;
  explicit shared_sender(shared_channel<Words>& channel) : channel_(&channel) {}

  phase now() const { return now_; }
  /// The number of the last start that the receiver has been told of, or will be.
  std::uint64_t last_sent() const { return std::max(last_use_[0], last_use_[1]); }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::deferred;
  }

  /// Packs and tells the receiver, if it has read what was sent two starts ago.
  /// @param pack called with the staging buffer's number: packs all that is not read in place, and says whether long
  /// rows are to be read from the fields, which stay as they are until this start is done
  template <class Pack> void try_send(Pack&& pack) {
    if (taken_ + 2 < start_) taken_ = channel_->taken.load(std::memory_order_acquire);
    if (taken_ + 2 < start_) return;
    buffer_ = last_use_[0] <= taken_ ? 0 : 1;  // at most the start before this one has not been taken
    last_use_[buffer_] = start_;
    const bool in_place = pack(buffer_);
    auto& notice = this->notice();
    if (in_place) notice.claim.store(2 * start_, std::memory_order_relaxed);
    notice.buffer = buffer_;
    notice.in_place = in_place ? 1 : 0;
    notice.ready.store(start_, std::memory_order_release);
    now_ = in_place ? phase::reader_may_read : phase::done;
  }

  /// The receiver has said so by another way: it sends to this side, too, and has sent what it sends in the start after
  /// that one. Then `taken`, which is in its cache, need not be fetched.
  void has_heard_taken(std::uint64_t start) { taken_ = std::max(taken_, start); }

  /// Whether the receiver has copied this start out; it is done then.
  bool is_taken() {
    if (!channel_->has_taken(start_)) return false;
    now_ = phase::done;
    return true;
  }

  /// Packs the rows that the receiver might have read in place, and is done; not if the receiver is at it.
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
  std::uint64_t last_use_[2]{};  // number of the last start that used a staging buffer
  std::uint64_t taken_ = 0;      // as far as is known here
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

  /// Not so once it is taken: the sender then goes on to starts that this side knows nothing of.
  bool is_missing() const { return now_ == phase::waiting && !is_ready(); }

  /// @param unpack_staged,unpack_rows called with the staging buffer's number, for either part of the message
  /// @param read_rows instead of the latter: copies straight from the sender's fields
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
