// Where the ranks of a node show each other what they contribute to a collective: some records a rank, which it alone
// writes and all may read, and a slot of memory for each. Collectives take turns at the board; within one, what a rank
// shows is numbered from 0, and stands until all others have said that they need it no more.
//
// Small contributions stand in the record itself, beside the word that says that they are there: one cache line carries
// both.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// What one rank shows once, at the word that says which showing it is.
struct board_record {
  static constexpr std::int64_t room = 56;
  alignas(64) std::atomic<std::uint64_t> number{0};
  std::byte inside[room];
};

/// One rank's part of the board, before its slots.
struct board_part {
  static constexpr std::uint64_t depth = 4;
  std::array<board_record, depth> records;
  alignas(64) std::atomic<std::uint64_t> finished{0};  ///< showings of others below this one are needed no more
};

class node_board {
 public:
  /// Collective over `comm`: each node gets one. @throws error(resource) where node-shared memory does not suffice
  explicit node_board(const communicator& comm);
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
  /// Bytes of a slot.
  std::int64_t slot() const { return slot_; }

 private:
  friend class board_turn;
  board_part& part(int member) const { return *parts_[static_cast<std::size_t>(member)]; }
  std::byte* slot_of(int member, std::uint64_t place) const {
    return reinterpret_cast<std::byte*>(parts_[static_cast<std::size_t>(member)]) + slots_at_ +
           static_cast<std::int64_t>(place) * slot_;
  }

  static constexpr std::int64_t slots_at_ = 4096 - 64;  // from the part, which a line of the block's own precedes
  static_assert(sizeof(board_part) <= slots_at_);

  std::shared_ptr<std::byte> block_;
  std::vector<board_part*> parts_;
  std::vector<int> ranks_;
  int me_ = 0;
  std::int64_t slot_ = 0;
  std::uint64_t turns_reserved_ = 0, turns_ended_ = 0;
  std::array<std::uint64_t, board_part::depth> last_{};  // what stood in my records last
  std::uint64_t finished_by_all_ = 0;                    // at least
  bool broken_ = false;
};

/// One collective's turn: all members of the node take the same ones in the same order, whether they show something or
/// not.
class board_turn {
 public:
  board_turn(node_board& board, std::uint64_t number) : board_(board), number_(number) {}
  board_turn(const board_turn&) = delete;
  board_turn& operator=(const board_turn&) = delete;
  /// One that has not ended is the board's last.
  ~board_turn() {
    if (!ended_) board_.broken_ = true;
  }

  int members() const { return board_.members(); }
  int me() const { return board_.me_; }
  std::int64_t slot() const { return board_.slot_; }

  /// To be waited for first: those before have ended. @throws error(state) where one of them was given up
  auto my_turn() { return its_turn{board_, number_}; }

  /// To be waited for before `room_for`: nobody needs what stood there.
  auto may_show(std::uint64_t number) { return is_free{board_, place(number)}; }
  /// Where to put `bytes` of what is shown next; at most a slot.
  std::byte* room_for(std::uint64_t number, std::int64_t bytes) const {
    auto& record = board_.part(board_.me_).records[place(number)];
    return bytes <= board_record::room ? record.inside : board_.slot_of(board_.me_, place(number));
  }
  /// Shows it.
  void show(std::uint64_t number) {
    board_.last_[place(number)] = id(number);
    board_.part(board_.me_).records[place(number)].number.store(id(number), std::memory_order_release);
  }

  /// To be waited for: the member shows it.
  auto shown_by(int member, std::uint64_t number) const {
    return has_shown{board_.part(member).records[place(number)].number, id(number), board_.rank_of(member)};
  }
  /// What it shows, of so many bytes; at any time for its own.
  const std::byte* what(int member, std::uint64_t number, std::int64_t bytes) const {
    return bytes <= board_record::room ? board_.part(member).records[place(number)].inside
                                       : board_.slot_of(member, place(number));
  }

  /// This member needs nothing that is shown up to this number any more.
  void finish(std::uint64_t number) { board_.part(board_.me_).finished.store(id(number), std::memory_order_release); }
  /// Nor anything of this turn: to be said at once by who reads nothing, since others wait for it.
  void reads_nothing() { finish(most); }
  void end() {
    finish(most);
    board_.turns_ended_ = number_ + 1;
    ended_ = true;
  }

 private:
  static constexpr std::uint64_t most = (std::uint64_t{1} << 24) - 2;

  struct its_turn {
    const node_board& board;
    std::uint64_t number;
    bool operator()() const {
      if (board.broken_) throw_broken();
      return board.turns_ended_ == number;
    }
  };
  struct is_free {
    node_board& board;
    std::uint64_t place;
    bool operator()() const {
      if (board.last_[place] <= board.finished_by_all_) return true;
      auto least = ~std::uint64_t{0};
      for (int m = 0; m < board.members(); ++m)
        if (m != board.me_) least = std::min(least, board.part(m).finished.load(std::memory_order_acquire));
      board.finished_by_all_ = least;
      return board.last_[place] <= least;
    }
    void append_missing(std::vector<int>& ranks) const {
      for (int m = 0; m < board.members(); ++m)
        if (m != board.me_ && board.part(m).finished.load(std::memory_order_relaxed) < board.last_[place])
          ranks.push_back(board.rank_of(m));
    }
  };
  struct has_shown {
    const std::atomic<std::uint64_t>& word;
    std::uint64_t id;
    int rank;
    bool operator()() const { return word.load(std::memory_order_acquire) == id; }
    void append_missing(std::vector<int>& ranks) const { ranks.push_back(rank); }
  };

  [[noreturn]] static void throw_broken();
  std::uint64_t id(std::uint64_t number) const { return (number_ << 24) + number + 1; }
  std::uint64_t place(std::uint64_t number) const { return (number_ + number) % board_part::depth; }
  node_board& board_;
  std::uint64_t number_;
  bool ended_ = false;
};

}  // namespace wherry::collective
