// Messages by one-sided writes: each rank has two slots for every other one, which writes there and notifies it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// How writes get there.
enum class putting : std::uint8_t {
  by_windows,         ///< MPI_Put into windows over memory that is no node's
  by_notified_writes  ///< notified writes, on the node by plain stores
};

/// Of one communicator. Calls take turns at it, like at a board.
class mailboxes {
 public:
  static constexpr int most_ranks = 4096;

  /// Collective.
  mailboxes(const communicator& comm, putting how);

  std::int64_t slot() const { return slot_; }
  /// A call's number; once `turn_of` is true it is the only one here, until `end`.
  std::uint64_t reserve() { return reserved_++; }
  bool turn_of(std::uint64_t call) const { return ended_ == call; }
  void end(std::uint64_t call) { ended_ = call + 1; }

  /// A part of at most a slot, in the order in which the other one takes them. False: not yet.
  bool try_send(int to, const std::byte* data, std::int64_t bytes);
  bool try_receive(int from, std::byte* into, std::int64_t bytes);

 private:
  int data_id(int from, std::uint64_t part) const { return 2 * from + static_cast<int>(part % 2); }
  int taken_id(int to, std::uint64_t part) const { return 2 * (size_ + to) + static_cast<int>(part % 2); }
  std::size_t place(int from, std::uint64_t part) const {
    return static_cast<std::size_t>(data_id(from, part)) * static_cast<std::size_t>(slot_);
  }

  int rank_, size_;
  std::int64_t slot_;
  std::vector<std::byte> windows_;  // the memory, where it is to be no node's
  byte_segment segment_;
  std::vector<std::uint64_t> sent_, received_;  // parts, to and from each rank
  std::uint64_t reserved_ = 0, ended_ = 0;
};

/// The messages of one stage of a call, by mailboxes: as `stage_messages`.
class mailed_messages {
 public:
  void begin(mailboxes& by) { by_ = &by; }
  void receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty = false);
  void send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty = false);
  bool done();
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
  std::vector<letter> letters_;
};

}  // namespace wherry::collective
