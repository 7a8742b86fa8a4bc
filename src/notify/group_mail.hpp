// The letters that members of groups write to each other: who they are, when a group is committed, and after that what
// goes to other nodes. One box a communicator, for all its groups.
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

/// What a member says of itself when it begins to commit.
struct group_card {
  std::uint64_t list = 0;       // fingerprint of the ranks
  std::uint64_t own = 0;        // the number of the group on the rank that says so
  std::uint64_t board = 0;      // place in its arena
  std::uint64_t piece = 0;      // bytes
  std::uint32_t members = 0;    // length of the list
  std::uint32_t node_size = 0;  // of a member that stands for its node: how many members are there. 0: it does not
  std::uint32_t among_all = 0;
  // Commits that have failed on this rank: tells one that is late from one that tries again.
  std::uint64_t failures = 0;
  // Cards of the receiver's for this list that say fewer failures are of a commit that has failed here: they get that
  // for an answer, and this card is for a later one.
  std::uint64_t least_failures = 0;
};

/// Two ranks that do not agree, or one that has left, as a word. 0: nothing of the kind.
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

/// A part of a collective: what went up the tree, or came down.
struct group_part {
  bool up = false;
  int from = 0;
  std::uint64_t number = 0, call = 0;
  std::span<const std::byte> data;
};

/// Whom the box gives what has come for a group. Called by any thread that looks into the box, one at a time.
class group_addressee {
 public:
  virtual ~group_addressee() = default;
  virtual void take(const group_part& part) = 0;
  /// The members that stand for their nodes, and the numbers of the group there.
  virtual void take_heads(std::span<const std::byte> list) = 0;
  /// The commit fails, or somebody is gone: a member says so that has taken this one's card, or that it has missed.
  virtual void refuse(group_failure why) = 0;
  /// A card that this one may have taken is of a commit that has failed since, without having taken this one's.
  virtual void forget(int from, std::uint64_t own) = 0;
  /// Whether it has taken this member's card.
  virtual bool knows(int rank) = 0;
};

class group_mail {
 public:
  /// Of the communicator, which keeps it. Local.
  static group_mail& of(const communicator& comm);

  explicit group_mail(const communicator& comm);
  group_mail(const group_mail&) = delete;
  group_mail& operator=(const group_mail&) = delete;
  ~group_mail();

  /// A number for a group of this rank, by which others write to it.
  std::uint64_t open(group_addressee& group, std::uint64_t list);
  /// For the cards of a commit that begins.
  std::uint64_t failures();
  /// Of the others, as far as this rank knows.
  std::vector<std::uint64_t> failures_of(const std::vector<int>& ranks);
  /// It is committed, or never will be: cards for the same list are for another one.
  void settle(std::uint64_t own);
  void close(std::uint64_t own);
  /// A commit of this list has failed here. Those that this rank has not heard of are told when they come with the same
  /// list: of another one nothing has failed.
  struct late_rank {
    int rank;
    std::uint64_t failures;  // as far as this rank knew when it began
  };
  void note_failure(std::uint64_t list, group_failure why, const std::vector<late_rank>& not_heard_of);

  void send_card(int to, group_card card);
  /// @param taken the number, on `to`, of the group whose card this one has taken. 0: none
  void send_failure(int to, std::uint64_t own, group_failure why, std::uint64_t taken);
  void send_heads(int to, std::uint64_t their_own, std::span<const std::byte> list);
  void send_part(int to, std::uint64_t their_own, bool up, std::uint64_t number, std::uint64_t call,
                 std::span<const std::byte> data);

  /// Receives what has come.
  void look();

  /// A card that has come and been taken by nobody.
  struct kept_card {
    int from = -1;
    group_card card;
    double since = 0;
  };
  /// Those for the list of this group, of members whose cards for older groups with the same list have been taken;
  /// `take(card)` says whether it is this group's.
  /// @param failures as this group's card says
  template <class Take> void take_cards(std::uint64_t own, std::uint64_t failures, Take&& take) {
    const std::lock_guard lock(guard_);
    const auto list = open_.at(own).list;
    std::erase_if(cards_, [&](const kept_card& card) {
      return card.card.list == list && card.card.least_failures <= failures && is_for(own, card) && take(card);
    });
  }
  /// The first one of a member of `ranks` (ascending) for a list that no group of this rank is at, and for longer than
  /// `seconds`; it is taken.
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
    std::uint64_t taken, failures;  // the receiver's group; of the sender
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
  std::map<int, std::uint64_t> failures_of_;  // this rank's, and the others' as far as it knows
  struct owed_answer {
    group_failure why;
    std::uint64_t failures;  // of a rank that has not heard of it
  };
  struct late_commit {
    int rank;
    std::uint64_t list;
    auto operator<=>(const late_commit&) const = default;
  };
  std::map<late_commit, owed_answer> owed_;  // to ranks that have not come to a commit that has failed here
  std::set<int> ahead_;                      // ranks whose commit has failed before this rank has begun its own
  std::vector<std::unique_ptr<sent>> outbox_, spare_;
  std::vector<std::byte> incoming_;
};

}  // namespace wherry
