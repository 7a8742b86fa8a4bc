// How the members of a group find each other: without the other ranks, and without a collective of MPI's. Each writes
// to those of its node, to the member before and after it in the list, and one of each node to the first member, which
// tells these of each other. All lists are the same when each member has heard of its neighbours in the list.
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
  /// Sends what this member says of itself. @param called the group, in errors @param board of this member, in `comm`'s
  /// arena where there is one
  group_meeting(const communicator& comm, const std::string& called, const std::vector<int>& ranks,
                const group_options& options, const std::byte* board, group_mail& mail, std::uint64_t own,
                group_contact& contact);
  group_meeting(const group_meeting&) = delete;
  group_meeting& operator=(const group_meeting&) = delete;

  static std::uint64_t fingerprint(const std::vector<int>& ranks);

  /// True: all that this member must know has come. @throws error(mismatch, state), and tells the others
  bool step();
  group_links links() const;
  /// Members of this rank's node, itself included.
  const std::vector<int>& near() const { return near_; }
  void append_missing(std::vector<int>& ranks) const;
  /// The other members are told that this one has failed, or goes.
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
  std::vector<std::uint64_t> failures_before_;  // of the members, when this began
  std::size_t accounted_ = 0;                   // of the first member: how many members the heads stand for
  bool heads_are_sent_ = false, has_given_up_ = false;
};

}  // namespace wherry
