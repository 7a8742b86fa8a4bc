// Messages by one-sided writes: each rank has two slots for every other rank, which writes to them and signals it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mail_memory.hpp"
#include "scratch.hpp"

namespace wherry::collective {

/// The mailboxes of one communicator. Calls use them in turn, like a board.
class mailboxes {
 public:
  static constexpr int most_ranks = 4096;

  mailboxes(std::unique_ptr<mail_memory> memory, int ranks);

  std::int64_t slot() const { return memory_->slot(); }
  /// The number of the next call. When `turn_of` is true for it, the call has the mailboxes alone until `end`.
  std::uint64_t reserve() { return reserved_++; }
  bool turn_of(std::uint64_t call) const { return ended_.load(std::memory_order_acquire) == call; }
  void end(std::uint64_t call) { ended_.store(call + 1, std::memory_order_release); }
  bool idle() const { return ended_ == reserved_; }

  /// Sends a part of at most one slot; parts are received in the order in which they were sent. False: not yet
  /// possible.
  bool try_send(int to, const std::byte* data, std::int64_t bytes);
  bool try_receive(int from, std::byte* into, std::int64_t bytes);

 private:
  std::unique_ptr<mail_memory> memory_;
  std::vector<std::uint64_t> sent_, received_;  // the number of parts to and from each rank
  std::uint64_t reserved_ = 0;
  std::atomic<std::uint64_t> ended_{0};  // atomic, because the next call may be another thread's
};

/// The bytes of a slot, if the slots of a rank shall take this many bytes together (0: the usual size).
std::int64_t slot_among(int ranks, std::int64_t bytes);

/// The messages of one stage of a call by mailboxes. It has the functions of `stage_messages`, but several messages
/// from, or to, one peer must be named in direct succession.
class mailed_messages {
 public:
  explicit mailed_messages(scratch_pool& pool) : letters_(pool) {}
  void begin(mailboxes& by) { by_ = &by; }
  void receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty = false);
  void send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty = false);
  /// As in `stage_messages`, in one part.
  void send_head(const std::byte* from, std::int64_t bytes, int peer) { send(from, bytes, peer, true); }
  std::size_t receive_head(std::byte* into, std::int64_t most, int peer) {
    receive(into, most, peer, true);
    return letters_.size() - 1;
  }
  std::int64_t most_at_once() const { return by_->slot(); }
  bool is_there(std::size_t number) const { return letters_[number].over; }
  bool done();
  void cancel() noexcept {}
  void append_missing(std::vector<int>& ranks) const;

 private:
  struct letter {
    int peer;
    std::byte* data;
    std::int64_t bytes, at;
    bool leaves, over;
  };
  bool advance(letter& one);

  mailboxes* by_ = nullptr;
  scratch_list<letter> letters_;
};

}  // namespace wherry::collective
