// How the members of a group find each other, without the other ranks and without an MPI collective. Each member sends
// a card to the members of its node and to its neighbours in the list. The first member of each node also sends one to
// the first member of the list, which sends all of these the list of each other. When each member has heard from its
// neighbours in the list, all lists are known to be equal.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/notify/rank_group.hpp"

#include "group_board.hpp"
#include "group_contact.hpp"
#include "group_mail.hpp"
#include "group_rounds.hpp"

namespace wherry {

class group_meeting {
 public:
  /// Sends this member's cards.
  /// @param called the group's name in error texts
  /// @param board this member's board, in the arena of `comm` if it has one
  group_meeting(const communicator& comm, const std::string& called, const std::vector<int>& ranks,
                const group_options& options, const std::byte* board, group_mail& mail, std::uint64_t own,
                group_contact& contact);
  group_meeting(const group_meeting&) = delete;
  group_meeting& operator=(const group_meeting&) = delete;

  static std::uint64_t fingerprint(const std::vector<int>& ranks);

  /// True if everything that this member must know has arrived. @throws error(mismatch) or error(state), and tells the
  /// other members
  bool step();
  group_links links() const;
  /// The members on this rank's node, itself included.
  const std::vector<int>& near() const { return near_; }
  void append_missing(std::vector<int>& ranks) const;
  /// Tells the other members that this one has failed or leaves.
  void give_up(group_failure why);

 private:
  struct head {
    std::int64_t rank;
    std::uint64_t own;
  };
  bool is_first() const { return comm_.rank() == ranks_.front(); }
  bool is_head() const { return comm_.rank() == near_.front(); }
  bool is_spread() const { return near_.size() < ranks_.size(); }
  bool wants(const group_mail::kept_card& card) const;
  void hear(const group_mail::kept_card& card);
  void unhear(int rank);
  void collect();
  void look_for_strangers();
  void send_heads();
  std::vector<head> heads() const;
  [[noreturn]] void fail(group_failure why, const std::string& text);
  group_links::near_one near_one(int rank) const;

  const communicator& comm_;
  const std::string& called_;
  const std::vector<int>& ranks_;
  const std::byte* board_;
  group_mail& mail_;
  group_contact& contact_;
  group_card card_;
  std::vector<int> near_;
  std::set<int> expected_;
  std::map<int, group_card> heard_;
  std::vector<std::uint64_t> failures_before_;  // failed commits of the members when this meeting began
  std::size_t accounted_ = 0;                   // on the first member: number of members on the nodes heard from
  bool heads_are_sent_ = false, has_given_up_ = false;
};

}  // namespace wherry
