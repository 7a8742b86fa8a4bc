// Where the ranks of a node show each other what they contribute to a collective: some records a rank, which it alone
// writes and all may read. Collectives take turns at the board; within one, what a rank shows is numbered from 0, and
// stands until all others have said that they need it no more.
//
// Small contributions stand in the record itself, beside the word that says that they are there: one cache line carries
// both. Of others it says where they are: in the rank's piece of the board, or where the user has them, if the node
// shares that memory.
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

/// Where in the arena of the rank that shows it; where there are pieces of it, how far apart they are.
struct place_shown {
  static constexpr std::uint64_t in_the_record = ~std::uint64_t{0};  ///< behind this, of pieces that say where they are
  std::uint64_t offset;
  std::int64_t stride;
};

/// What stands in a record: what call it is of (see call_terms), and what is shown, or its place.
struct shown_bytes {
  static constexpr std::int64_t room = 48;  ///< so much fits one line with these words
  std::uint64_t says;
  std::byte bytes[room];
};

/// One rank's part of the board, before its first memory for what is shown.
struct node_board_part : board_part<shown_bytes, 64> {
  /// In the first member's part, of all of them: the first turn in which somebody found no memory, see `node_board`.
  alignas(64) std::atomic<std::uint64_t> failed{0};
  alignas(64) std::atomic<std::uint64_t> news{0};  ///< somebody has said something to this member
  shared_notice notice;                            ///< of this member, to all
};

/// Whether those who read what a member shows show something in the same call; else it may be a call ahead of them.
enum class flow { both_ways, one_way };

/// Memory for what is long is taken when it is first needed. Where a member finds none, this turn fails on it, and on
/// all members that wait for anything of this turn or of a later one: nobody waits for what cannot come.
class node_board {
 public:
  /// Collective over `comm`: each node gets one. @throws error(resource) where node-shared memory does not suffice
  /// @param sequence of the calls, which outlives it, and learns where the members' notices are
  node_board(const communicator& comm, call_sequence& sequence);
  node_board(const node_board&) = delete;
  node_board& operator=(const node_board&) = delete;

  int members() const { return static_cast<int>(parts_.size()); }
  int me() const { return me_; }
  int rank_of(int member) const { return ranks_[static_cast<std::size_t>(member)]; }
  /// The numbers of the next so many turns, from this one on. A call takes all that it needs when it begins, so that
  /// several in flight take them alike on all members.
  std::uint64_t reserve(std::uint64_t turns) {
    const auto first = turns_reserved_;
    turns_reserved_ += turns;
    return first;
  }
  /// Bytes that can be shown at once.
  std::int64_t slot() const { return slot_; }
  /// Members are more than there are cores: who has not come may need this one's. All members say the same.
  bool is_crowded() const { return crowded_; }

 private:
  friend class board_turn;
  node_board_part& part(int member) const { return *parts_[static_cast<std::size_t>(member)]; }

  static constexpr std::int64_t slots = 4;
  static constexpr std::int64_t together = 16;  ///< showings of one size that should find room in memory
  /// Whether what is shown should have more memory. Most communicators see nothing long, and need two pages.
  bool is_short_of(std::int64_t bytes) const {
    const auto showings = grows_ ? together : slots;
    return bytes * showings > mine_.capacity() && mine_.capacity() < slots * slot_;
  }
  /// Others learn with what is shown where it is. @throws error(resource), when the others have been told
  void grow(std::int64_t bytes, std::uint64_t turn);
  /// Who waits in a turn that somebody could not go through waits in vain. @throws error(resource)
  void look_for_failure(std::uint64_t turn) const {
    if (const auto told = parts_[0]->failed.load(std::memory_order_acquire); told != 0) throw_failed(told, turn);
  }
  void tell_failure(std::uint64_t turn);
  void throw_failed(std::uint64_t told, std::uint64_t turn) const;  ///< unless it was in a later turn

  communicator comm_;
  call_sequence& sequence_;
  std::shared_ptr<std::byte> block_;
  std::vector<std::shared_ptr<std::byte>> more_;  // others may still read the older ones
  std::byte* memory_ = nullptr;                   // for what is shown next
  std::vector<node_board_part*> parts_;
  const node_arena* arena_;         // null: there is one member, and no memory for others
  std::vector<std::byte*> arenas_;  // of the members, as this process sees them
  std::vector<int> ranks_;
  int me_ = 0;
  bool crowded_;
  std::size_t least_in_place_;  // bytes, whatever the distance; 0: as the distance is
  std::int64_t slot_ = 0;
  std::uint64_t turns_reserved_ = 0;
  // The next turn may be another thread's, which sees what this one has done.
  std::atomic<std::uint64_t> turns_ended_{0};
  board_ring<node_board_part::depth> mine_;  // what I have shown
  // The members have read what was in that memory:
  copies_for_reader both_ways_, one_way_{reader_distance::where_writers_only_write};
  std::atomic<bool> broken_{false};
  bool grows_ = true;
};

/// One collective's turn: all members of the node take the same ones in the same order, whether they show something or
/// not.
class board_turn {
 public:
  /// @param says what this member's records say, and, where nothing else is said, those of the others
  board_turn(node_board& board, std::uint64_t number, std::uint64_t says)
      : board_(board), number_(number), says_(says) {}
  board_turn(const board_turn&) = delete;
  board_turn& operator=(const board_turn&) = delete;
  /// One that has not ended is the board's last.
  ~board_turn() {
    if (!ended_) board_.broken_.store(true, std::memory_order_release);
  }

  int members() const { return board_.members(); }
  int me() const { return board_.me_; }
  std::uint64_t says() const { return says_; }
  std::int64_t slot() const { return board_.slot_; }
  bool is_crowded() const { return board_.is_crowded(); }

  /// To be waited for first: those before have ended. @throws error(state) where one of them was given up
  auto my_turn() { return its_turn{board_, number_}; }

  /// To be waited for before `room_for`: there is room for so many bytes, at most a slot.
  auto may_show(std::uint64_t number, std::int64_t bytes) {
    return has_room{board_, number_, place(number), bytes <= shown_bytes::room ? 0 : bytes};
  }
  /// Where to put what is shown next. Members find their pieces `stride` apart.
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
  /// The same, for pieces of which those who read them know nothing but their numbers. Together at most a slot.
  std::byte* room_for_pieces(std::uint64_t number, std::int64_t pieces, std::int64_t stride) {
    if (!pieces_fit_record(pieces, stride))
      return room_for(number, std::max(pieces * stride, shown_bytes::room + 1), stride);
    auto& record = mine().record_of(one(number));
    board_.mine_.take(place(number), id(number), 0);
    const place_shown at{place_shown::in_the_record, stride};
    std::memcpy(record.shown.bytes, &at, sizeof at);
    return record.shown.bytes + sizeof at;
  }
  /// Whether they need no memory besides.
  static bool pieces_fit_record(std::int64_t pieces, std::int64_t stride) {
    return pieces * stride <= shown_bytes::room - static_cast<std::int64_t>(sizeof(place_shown));
  }
  /// Puts what is shown next, or a piece of it, there.
  void put(std::byte* room, const std::byte* from, std::int64_t bytes, flow way) {
    writer(way).message(room, from, static_cast<std::size_t>(bytes));
  }
  /// Whether they may as well read so many bytes where they are. A far reader's copies of lines cost who writes them
  /// next.
  bool may_stay(std::int64_t bytes, flow way) {
    const auto least = board_.least_in_place_;
    return least != 0 ? static_cast<std::size_t>(bytes) >= least : writer(way).next_stays();
  }
  /// Whether the others can read it where it is.
  bool is_shared(const std::byte* memory) const {
    return board_.arena_ != nullptr && board_.arena_->offset_of(memory).has_value();
  }
  /// Instead of `room_for`, after waiting for room for nothing: it stays as it is until it `is_read_by` them.
  void point_at(std::uint64_t number, const std::byte* memory, std::int64_t stride = 0) {
    board_.mine_.take(place(number), id(number), 0);
    say_place(mine().record_of(one(number)), memory, stride);
  }
  /// Shows it.
  void show(std::uint64_t number) {
    mine().record_of(one(number)).shown.says = says_;
    mine().show(one(number));
  }

  /// Shows it no more: for who gives up.
  void withdraw(std::uint64_t number) { mine().withdraw(one(number)); }

  /// To be waited for: the member shows it. @throws error(mismatch) where it is of another call than it should be
  auto shown_by(int member, std::uint64_t number, std::uint64_t should_say) const {
    return has_shown{board_, number_, member, board_.part(member).record_of(one(number)), id(number), should_say};
  }
  auto shown_by(int member, std::uint64_t number) const { return shown_by(member, number, says_); }
  /// Of what a member shows for each of the others: how much is for this one must be as much as this one expects.
  void compare_piece(int member, std::int64_t bytes, std::int64_t expected, const call_terms& of) const {
    if (bytes != expected) board_.sequence_.disagree(of.of(expected), board_.rank_of(member), of.of(bytes));
  }
  /// Fetches what the member may already have shown in the next turn: it may be ahead.
  void look_ahead(int member) const { __builtin_prefetch(&board_.part(member).record_of({number_ + 1})); }
  /// Makes this core the owner of the record that this member shows next, so that it is written at once.
  void claim_ahead() const {
    const auto* const next = &mine().record_of({number_ + 1});
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*next));
#else
    __builtin_prefetch(next, 1);
#endif
  }
  /// What it shows, of so many bytes; at any time for its own.
  const std::byte* what(int member, std::uint64_t number, std::int64_t bytes) const {
    return piece(member, number, bytes, 0, 0);
  }
  /// A member's piece of it; `stride` is that of what stands in records.
  const std::byte* piece(int member, std::uint64_t number, std::int64_t bytes, int of, std::int64_t stride) const {
    const auto& record = board_.part(member).record_of(one(number));
    if (bytes <= shown_bytes::room) return record.shown.bytes + of * stride;
    const auto at = place_of(member, number);
    return board_.arenas_[static_cast<std::size_t>(member)] + at.offset + of * at.stride;
  }
  /// One of the pieces that were given room by `room_for_pieces`, or pointed at.
  const std::byte* numbered_piece(int member, std::uint64_t number, int which) const {
    const auto& record = board_.part(member).record_of(one(number));
    const auto at = place_of(member, number);
    if (at.offset == place_shown::in_the_record) return record.shown.bytes + sizeof at + which * at.stride;
    return board_.arenas_[static_cast<std::size_t>(member)] + at.offset + which * at.stride;
  }
  /// What a member points at, and the stride that it has said.
  std::byte* memory_of(int member, std::uint64_t number) const {
    return board_.arenas_[static_cast<std::size_t>(member)] + place_of(member, number).offset;
  }
  std::int64_t stride_of(int member, std::uint64_t number) const { return place_of(member, number).stride; }
  /// To be waited for: these members need nothing more of what is shown up to this number.
  auto is_read_by(int first, int last, std::uint64_t number) const {
    return have_finished{board_, number_, id(number), first, last};
  }
  auto is_read_by_all(std::uint64_t number) const { return is_read_by(0, members() - 1, number); }

  /// This member needs nothing that is shown up to this number any more.
  void finish(std::uint64_t number) { mine().finish(one(number)); }
  /// Nor anything of this turn: to be said at once by who reads nothing, since others wait for it.
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
      // What is long goes where memory is still in the cache, which is worth a look at what the others have finished.
      if (bytes < looks_first && mine.is_free(place) && (bytes == 0 || mine.room(bytes))) return true;
      auto least = ~std::uint64_t{0};  // of all: what I show I may read as well
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
    /// A member that has ended this turn shows nothing there any more.
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
    int first, last;  // members
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
