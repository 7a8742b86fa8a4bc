// The letters that members of groups send to each other: while a group is committed, cards by which members introduce
// themselves, and afterwards data for other nodes. Each communicator has one box for all its groups.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// The card that a member sends when it begins to commit.
struct group_card {
  std::uint64_t list = 0;       // fingerprint of the ranks
  std::uint64_t own = 0;        // the group's number on the sender
  std::uint64_t board = 0;      // offset of the sender's board in its arena
  std::uint64_t piece = 0;      // option `piece`, in bytes
  std::uint32_t members = 0;    // length of the list
  std::uint32_t node_size = 0;  // from the first member of a node the number of members there; otherwise 0
  std::uint32_t among_all = 0;
  // Number of commits that have failed on the sender. It tells a late commit from another attempt.
  std::uint64_t failures = 0;
  // Cards of the receiver for this list with fewer failures belong to a commit that has failed on the sender. They are
  // answered by that failure, and this card belongs to a later commit.
  std::uint64_t least_failures = 0;
};

/// A failure as one word: two ranks that disagree, or one rank that has left. 0 if there is no failure.
struct group_failure {
  std::uint64_t word = 0;
  static constexpr std::uint64_t mark = std::uint64_t{1} << 63;
  static group_failure between(int a, int b) {
    return {mark | std::uint64_t{static_cast<std::uint32_t>(a)} << 31 | static_cast<std::uint32_t>(b)};
  }
  static group_failure of(int left) { return between(left, left); }
  explicit operator bool() const { return (word & mark) != 0; }
  int first() const { return static_cast<int>(word >> 31 & 0x7fffffff); }
  int second() const { return static_cast<int>(word & 0x7fffffff); }
  bool is_departure() const { return first() == second(); }
};

/// A part of a collective: data that goes up or down the tree.
struct group_part {
  bool up = false;
  int from = 0;
  std::uint64_t number = 0, call = 0;
  std::span<const std::byte> data;
};

/// The receiver of the letters for a group. Called by any thread that looks into the box, one at a time.
class group_addressee {
 public:
  virtual ~group_addressee() = default;
  virtual void take(const group_part& part) = 0;
  /// Takes the list of the first members of all nodes, with the group's numbers there.
  virtual void take_heads(std::span<const std::byte> list) = 0;
  /// Takes the news that the commit has failed or that a member has left. The sender has taken this member's card, or
  /// has failed without it.
  virtual void refuse(group_failure why) = 0;
  /// Forgets a card, if it was taken. It belongs to a commit that has failed since, without having taken this member's
  /// card.
  virtual void forget(int from, std::uint64_t own) = 0;
  /// True if the card of this member was taken.
  virtual bool knows(int rank) = 0;
};

class group_mail {
 public:
  /// The box of a communicator, which owns it. Local.
  static group_mail& of(const communicator& comm);

  explicit group_mail(const communicator& comm);
  group_mail(const group_mail&) = delete;
  group_mail& operator=(const group_mail&) = delete;
  ~group_mail();

  /// Registers a group of this rank and returns the number by which other ranks address it.
  std::uint64_t open(group_addressee& group, std::uint64_t list);
  /// The number of failed commits of this rank, for its cards.
  std::uint64_t failures();
  /// The numbers of failed commits of other ranks, as far as this rank knows.
  std::vector<std::uint64_t> failures_of(const std::vector<int>& ranks);
  /// Ends the commit of a group, successful or not: further cards for the same list are for another group.
  void settle(std::uint64_t own);
  void close(std::uint64_t own);
  /// Notes that a commit of this list has failed here. Ranks that this rank has not heard from are told when their
  /// cards for the same list arrive.
  struct late_rank {
    int rank;
    std::uint64_t failures;  // as far as this rank knew when it began
  };
  void note_failure(std::uint64_t list, group_failure why, const std::vector<late_rank>& not_heard_of);

  void send_card(int to, group_card card);
  /// @param taken the number, on `to`, of the group with the card that this group has taken; 0 if there is none
  void send_failure(int to, std::uint64_t own, group_failure why, std::uint64_t taken);
  void send_heads(int to, std::uint64_t their_own, std::span<const std::byte> list);
  void send_part(int to, std::uint64_t their_own, bool up, std::uint64_t number, std::uint64_t call,
                 std::span<const std::byte> data);

  /// Receives the letters that have arrived.
  void look();

  /// A card that has arrived and that no group has taken.
  struct kept_card {
    int from = -1;
    group_card card;
    double since = 0;
  };
  /// Offers the cards for the list of this group by `take(card)`, which returns true if it takes the card. A card is
  /// offered only if all older groups with the same list have taken a card of its sender.
  /// @param failures the number of failures on this group's card
  template <class Take> void take_cards(std::uint64_t own, std::uint64_t failures, Take&& take) {
    const std::lock_guard lock(guard_);
    const auto list = open_.at(own).list;
    std::erase_if(cards_, [&](const kept_card& card) {
      return card.card.list == list && card.card.least_failures <= failures && is_for(own, card) && take(card);
    });
  }
  /// Takes the first card, kept for longer than `seconds`, from a rank of `ranks` (ascending) for a list that no group
  /// of this rank commits.
  std::optional<kept_card> take_stranger(const std::vector<int>& ranks, double seconds);

 private:
  enum class kind : std::uint64_t { card, failure, refusal, heads, up, down };
  struct head {
    std::uint64_t serial, what, group, number, call;
  };
  struct sent {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<std::byte> bytes;
  };
  struct member {
    group_addressee* group;
    std::uint64_t list;
  };
  struct failure_note {
    std::uint64_t taken, failures;  // number of the receiver's group; failures of the sender
  };
  void post(int to, const head& what, std::span<const std::byte> body);
  void post_unguarded(int to, const head& what, std::span<const std::byte> body);
  void keep(const kept_card& card);
  void answer(const kept_card& card, group_failure why);
  void test_sent();
  void receive_all();
  void hand_over(int from, const head& what, std::span<const std::byte> body);
  void take_failure(int from, std::uint64_t own, group_failure why, const failure_note& note);
  bool is_at(std::uint64_t list) const;
  bool is_for(std::uint64_t own, const kept_card& card) const;

  MPI_Comm comm_;
  int rank_;
  std::uint64_t serial_;
  std::mutex guard_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, member> open_;
  std::vector<kept_card> cards_;
  std::map<int, std::uint64_t> failures_of_;  // failed commits of this rank, and of others as far as it knows
  struct owed_answer {
    group_failure why;
    std::uint64_t failures;  // of the rank that has not heard of it
  };
  struct late_commit {
    int rank;
    std::uint64_t list;
    auto operator<=>(const late_commit&) const = default;
  };
  std::map<late_commit, owed_answer> owed_;  // answers to ranks that have not yet begun a commit that failed here
  std::set<int> ahead_;                      // ranks on which a commit failed before this rank began its own
  std::vector<std::unique_ptr<sent>> outbox_, spare_;
  std::vector<std::byte> incoming_;
};

}  // namespace wherry
