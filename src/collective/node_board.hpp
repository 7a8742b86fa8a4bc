// A board on which the ranks of a node show each other their contributions to a collective: a few records for each
// rank, which only this rank writes and all may read. Collectives use the board in turns; within a turn the showings of
// a rank are numbered from 0. A showing stands until all other ranks have said that they no longer need it.
//
// Small contributions stand in the record itself, beside the word that says that they are there: one cache line carries
// both. For larger ones the record holds their place: in the rank's piece of the board, or in the user's memory if the
// node shares it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_arena.hpp"

#include "call_sequence.hpp"
#include "channel/board.hpp"
#include "channel/board_ring.hpp"
#include "core/copies_for_reader.hpp"

namespace wherry::collective {

/// A place in the arena of the rank that shows it, and the distance between the pieces, if there are several.
struct place_shown {
  static constexpr std::uint64_t in_the_record = ~std::uint64_t{0};  ///< the pieces follow in the record
  std::uint64_t offset;
  std::int64_t stride;
};

/// The content of a record: the word of its call (see call_terms), and the data or its place.
struct shown_bytes {
  static constexpr std::int64_t room = 48;  ///< the bytes that fit in one cache line with these words
  std::uint64_t says;
  std::byte bytes[room];
};

/// One rank's part of the board, followed by its first memory for showings.
struct node_board_part : board_part<shown_bytes, 64> {
  /// In the first member's part, for all members: the first turn in which a member found no memory, see `node_board`.
  alignas(64) std::atomic<std::uint64_t> failed{0};
  alignas(64) std::atomic<std::uint64_t> news{0};  ///< a member has published a notice for this one
  shared_notice notice;                            ///< from this member to all
};

/// `both_ways`: the members that read a showing also show something in the same call. `one_way`: they only read, so
/// that the writer may be a call ahead of them.
enum class flow { both_ways, one_way };

/// The board of one node. Memory for long showings is taken when it is first needed. If a member finds none, its turn
/// fails, and so does the wait of every member in this turn or a later one: no member waits for data that cannot come.
class node_board {
 public:
  /// Makes a board on each node. Collective over `comm`.
  /// @throws error(resource) if there is not enough node-shared memory
  /// @param sequence of the calls; it outlives the board, and gets the members' notice boards
  node_board(const communicator& comm, call_sequence& sequence);
  node_board(const node_board&) = delete;
  node_board& operator=(const node_board&) = delete;

  int members() const { return static_cast<int>(parts_.size()); }
  int me() const { return me_; }
  int rank_of(int member) const { return ranks_[static_cast<std::size_t>(member)]; }
  /// Reserves this many turns and returns the number of the first. A call reserves all its turns when it begins, so
  /// that calls in flight have the same turns on all members.
  std::uint64_t reserve(std::uint64_t turns) {
    const auto first = turns_reserved_;
    turns_reserved_ += turns;
    return first;
  }
  /// The bytes that can be shown at once.
  std::int64_t slot() const { return slot_; }
  /// True if there are more members than cores: a member that has not come may need this one's core. The same on all
  /// members.
  bool is_crowded() const { return crowded_; }

 private:
  friend class board_turn;
  node_board_part& part(int member) const { return *parts_[static_cast<std::size_t>(member)]; }

  static constexpr std::int64_t slots = 4;
  static constexpr std::int64_t together = 16;  ///< this many showings of one size should have room in memory
  /// True if more memory should be taken. Most communicators show nothing long, and need two pages.
  bool is_short_of(std::int64_t bytes) const {
    const auto showings = grows_ ? together : slots;
    return bytes * showings > mine_.capacity() && mine_.capacity() < slots * slot_;
  }
  /// Takes more memory; each showing says where it is.
  /// @throws error(resource), after the others have been told
  void grow(std::int64_t bytes, std::uint64_t turn);
  /// Checks for a failed turn: a wait in it, or in a later one, is in vain.
  /// @throws error(resource)
  void look_for_failure(std::uint64_t turn) const {
    if (const auto told = parts_[0]->failed.load(std::memory_order_acquire); told != 0) throw_failed(told, turn);
  }
  void tell_failure(std::uint64_t turn);
  /// Does not throw if the failed turn is a later one.
  void throw_failed(std::uint64_t told, std::uint64_t turn) const;

  communicator comm_;
  call_sequence& sequence_;
  std::shared_ptr<std::byte> block_;
  std::vector<std::shared_ptr<std::byte>> more_;  // kept, because other members may still read the older ones
  std::byte* memory_ = nullptr;                   // for the next showing
  std::vector<node_board_part*> parts_;
  const wherry::detail::node_arena* arena_;  // null if there is only one member
  std::vector<std::byte*> arenas_;           // the members' arenas, mapped in this process
  std::vector<int> ranks_;
  int me_ = 0;
  bool crowded_;
  std::size_t least_in_place_;  // in bytes, whatever the distance; 0: by distance
  std::int64_t slot_ = 0;
  std::uint64_t turns_reserved_ = 0;
  // Atomic: the next turn may be another thread's, which must see everything that this one has done.
  std::atomic<std::uint64_t> turns_ended_{0};
  board_ring<node_board_part::depth> mine_;  // this member's showings
  // How to copy to memory that the members have read before:
  copies_for_reader both_ways_, one_way_{reader_distance::where_writers_only_write};
  std::atomic<bool> broken_{false};
  bool grows_ = true;
};

/// The turn of one collective: all members take the same turns in the same order, whether they show something or not.
class board_turn {
 public:
  /// @param says the word in this member's records, and by default the expected word in the others'
  board_turn(node_board& board, std::uint64_t number, std::uint64_t says)
      : board_(board), number_(number), says_(says) {}
  board_turn(const board_turn&) = delete;
  board_turn& operator=(const board_turn&) = delete;
  /// A turn that is destroyed before its end is the board's last.
  ~board_turn() {
    if (!ended_) board_.broken_.store(true, std::memory_order_release);
  }

  int members() const { return board_.members(); }
  int me() const { return board_.me_; }
  std::uint64_t says() const { return says_; }
  std::int64_t slot() const { return board_.slot_; }
  bool is_crowded() const { return board_.is_crowded(); }

  /// A condition to wait for first: the turns before have ended.
  /// @throws error(state) if one of them was given up
  auto my_turn() { return its_turn{board_, number_}; }

  /// A condition to wait for before `room_for`: there is room for this many bytes, at most a slot.
  auto may_show(std::uint64_t number, std::int64_t bytes) {
    return has_room{board_, number_, place(number), bytes <= shown_bytes::room ? 0 : bytes};
  }
  /// The memory for the next showing. Members find their pieces `stride` apart.
  std::byte* room_for(std::uint64_t number, std::int64_t bytes, std::int64_t stride = 0) {
    auto& record = mine().record_of(one(number));
    const bool inside = bytes <= shown_bytes::room;
    const auto at = inside ? 0 : *board_.mine_.room(bytes);
    board_.mine_.take(place(number), id(number), inside ? 0 : bytes);
    if (inside) return record.shown.bytes;
    auto* const memory = board_.memory_ + at;
    say_place(record, memory, stride);
    return memory;
  }
  /// The memory for pieces that are found by number only, at most a slot together.
  std::byte* room_for_pieces(std::uint64_t number, std::int64_t pieces, std::int64_t stride) {
    if (!pieces_fit_record(pieces, stride))
      return room_for(number, std::max(pieces * stride, shown_bytes::room + 1), stride);
    auto& record = mine().record_of(one(number));
    board_.mine_.take(place(number), id(number), 0);
    const place_shown at{place_shown::in_the_record, stride};
    std::memcpy(record.shown.bytes, &at, sizeof at);
    return record.shown.bytes + sizeof at;
  }
  /// True if the pieces fit in the record.
  static bool pieces_fit_record(std::int64_t pieces, std::int64_t stride) {
    return pieces * stride <= shown_bytes::room - static_cast<std::int64_t>(sizeof(place_shown));
  }
  /// Copies the next showing, or a piece of it, to its memory.
  void put(std::byte* room, const std::byte* from, std::int64_t bytes, flow way) {
    writer(way).message(room, from, static_cast<std::size_t>(bytes));
  }
  /// True if readers should read this many bytes where they are. A distant reader's copies of cache lines cost the
  /// writer that writes them next.
  bool may_stay(std::int64_t bytes, flow way) {
    const auto least = board_.least_in_place_;
    return least != 0 ? static_cast<std::size_t>(bytes) >= least : writer(way).next_stays();
  }
  /// True if the other members can read this memory in place.
  bool is_shared(const std::byte* memory) const {
    return board_.arena_ != nullptr && board_.arena_->offset_of(memory).has_value();
  }
  /// Shows memory in place, instead of `room_for`; wait for room for 0 bytes first. The memory must not change until it
  /// `is_read_by` the others.
  void point_at(std::uint64_t number, const std::byte* memory, std::int64_t stride = 0) {
    board_.mine_.take(place(number), id(number), 0);
    say_place(mine().record_of(one(number)), memory, stride);
  }
  /// Shows it.
  void show(std::uint64_t number) {
    mine().record_of(one(number)).shown.says = says_;
    mine().show(one(number));
  }

  /// Withdraws a showing, when the call is given up.
  void withdraw(std::uint64_t number) { mine().withdraw(one(number)); }

  /// A condition to wait for: the member shows it.
  /// @throws error(mismatch) if it belongs to another call
  auto shown_by(int member, std::uint64_t number, std::uint64_t should_say) const {
    return has_shown{board_, number_, member, board_.part(member).record_of(one(number)), id(number), should_say};
  }
  auto shown_by(int member, std::uint64_t number) const { return shown_by(member, number, says_); }
  /// Compares the bytes of this member's piece with the expected bytes.
  /// @throws error(mismatch)
  void compare_piece(int member, std::int64_t bytes, std::int64_t expected, const call_terms& of) const {
    if (bytes != expected) board_.sequence_.disagree(of.of(expected), board_.rank_of(member), of.of(bytes));
  }
  /// Prefetches the member's record of the next turn: the member may be ahead.
  void look_ahead(int member) const { __builtin_prefetch(&board_.part(member).record_of({number_ + 1})); }
  /// Makes this core the owner of the cache line of this member's next record, so that writing it costs no wait.
  void claim_ahead() const {
    const auto* const next = &mine().record_of({number_ + 1});
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*next));
#else
    __builtin_prefetch(next, 1);
#endif
  }
  /// The showing of a member, of this many bytes; for this member's own at any time.
  const std::byte* what(int member, std::uint64_t number, std::int64_t bytes) const {
    return piece(member, number, bytes, 0, 0);
  }
  /// A member's piece of a showing; `stride` is the distance of pieces in records.
  const std::byte* piece(int member, std::uint64_t number, std::int64_t bytes, int of, std::int64_t stride) const {
    const auto& record = board_.part(member).record_of(one(number));
    if (bytes <= shown_bytes::room) return record.shown.bytes + of * stride;
    const auto at = place_of(member, number);
    return board_.arenas_[static_cast<std::size_t>(member)] + at.offset + of * at.stride;
  }
  /// A piece that was given room by `room_for_pieces`, or pointed at.
  const std::byte* numbered_piece(int member, std::uint64_t number, int which) const {
    const auto& record = board_.part(member).record_of(one(number));
    const auto at = place_of(member, number);
    if (at.offset == place_shown::in_the_record) return record.shown.bytes + sizeof at + which * at.stride;
    return board_.arenas_[static_cast<std::size_t>(member)] + at.offset + which * at.stride;
  }
  /// The memory that a member points at, and its stride.
  std::byte* memory_of(int member, std::uint64_t number) const {
    return board_.arenas_[static_cast<std::size_t>(member)] + place_of(member, number).offset;
  }
  std::int64_t stride_of(int member, std::uint64_t number) const { return place_of(member, number).stride; }
  /// A condition to wait for: these members need no showing up to this number any more.
  auto is_read_by(int first, int last, std::uint64_t number) const {
    return have_finished{board_, number_, id(number), first, last};
  }
  auto is_read_by_all(std::uint64_t number) const { return is_read_by(0, members() - 1, number); }

  /// This member needs no showing up to this number any more.
  void finish(std::uint64_t number) { mine().finish(one(number)); }
  /// This member needs no showing of this turn. A member that reads nothing should say so at once, because others wait
  /// for it.
  void reads_nothing() { finish(showing::last - 1); }
  void end() {
    finish(showing::last);
    board_.turns_ended_.store(number_ + 1, std::memory_order_release);
    ended_ = true;
  }
  bool has_ended() const { return ended_; }

 private:
  static constexpr std::int64_t looks_first = 4096;

  struct its_turn {
    const node_board& board;
    std::uint64_t number;
    bool operator()() const {
      if (board.broken_.load(std::memory_order_relaxed)) throw_broken();
      return board.turns_ended_.load(std::memory_order_acquire) == number;
    }
  };
  struct has_room {
    node_board& board;
    std::uint64_t turn;
    std::size_t place;
    std::int64_t bytes;
    bool operator()() const {
      auto& mine = board.mine_;
      // Long showings should reuse memory that is still in the cache, so check first which showings the others have
      // finished.
      if (bytes < looks_first && mine.is_free(place) && (bytes == 0 || mine.room(bytes))) return true;
      auto least = ~std::uint64_t{0};  // including this member, which may read its own showings
      for (int m = 0; m < board.members(); ++m) least = std::min(least, board.part(m).finished_up_to());
      mine.free_up_to(least);
      if (board.is_short_of(bytes)) board.grow(bytes, turn);
      if (mine.is_free(place) && mine.room(bytes)) return true;
      board.look_for_failure(turn);
      return false;
    }
    void append_missing(std::vector<int>& ranks) const {
      for (int m = 0; m < board.members(); ++m)
        if (m != board.me_ && board.part(m).finished.load(std::memory_order_relaxed) < board.mine_.newest())
          ranks.push_back(board.rank_of(m));
    }
  };
  struct has_shown {
    const node_board& board;
    std::uint64_t turn;
    int member;
    const board_record<shown_bytes>& record;
    std::uint64_t id, should_say;
    mutable unsigned polls = 0;
    static constexpr unsigned between_looks = 256;
    bool operator()() const {
      if (record.shows(id)) {
        if (record.shown.says != should_say) compare();
        return true;
      }
      if (++polls % between_looks == 0) look_at_member();
      board.look_for_failure(turn);
      return false;
    }
    /// A member that has ended this turn shows nothing in it any more.
    void look_at_member() const {
      const bool has_ended = board.part(member).finished_up_to() >= showing{turn, showing::last}.id();
      if (has_ended && !record.shows(id)) board.sequence_.miss(should_say, board.rank_of(member));
    }
    void compare() const {
      const auto says = record.shown.says;
      if (!call_terms::agree(should_say, says)) board.sequence_.disagree(should_say, board.rank_of(member), says);
    }
    void append_missing(std::vector<int>& ranks) const { ranks.push_back(board.rank_of(member)); }
  };

  struct have_finished {
    const node_board& board;
    std::uint64_t turn, id;
    int first, last;  // member numbers
    bool operator()() const {
      for (int m = first; m <= last; ++m)
        if (board.part(m).finished_up_to() < id) {
          board.look_for_failure(turn);
          return false;
        }
      return true;
    }
    void append_missing(std::vector<int>& ranks) const {
      for (int m = first; m <= last; ++m)
        if (board.part(m).finished.load(std::memory_order_relaxed) < id) ranks.push_back(board.rank_of(m));
    }
  };

  [[noreturn]] static void throw_broken();
  place_shown place_of(int member, std::uint64_t number) const {
    place_shown at;
    std::memcpy(&at, board_.part(member).record_of(one(number)).shown.bytes, sizeof at);
    return at;
  }
  void say_place(board_record<shown_bytes>& record, const std::byte* memory, std::int64_t stride) const {
    const place_shown at{static_cast<std::uint64_t>(memory - board_.arenas_[static_cast<std::size_t>(board_.me_)]),
                         stride};
    std::memcpy(record.shown.bytes, &at, sizeof at);
  }
  copies_for_reader& writer(flow way) { return way == flow::one_way ? board_.one_way_ : board_.both_ways_; }
  node_board_part& mine() const { return board_.part(board_.me_); }
  showing one(std::uint64_t number) const { return {number_, number}; }
  std::uint64_t id(std::uint64_t number) const { return one(number).id(); }
  std::uint64_t place(std::uint64_t number) const { return one(number).place(node_board_part::depth); }
  node_board& board_;
  std::uint64_t number_, says_;
  bool ended_ = false;
};

}  // namespace wherry::collective
