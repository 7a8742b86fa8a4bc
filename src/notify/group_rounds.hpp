// Carries out the collectives of a group piece by piece, as a state machine that any number of `step`s advances. A few
// ranks that share memory all read each other's boards; otherwise the data goes up a tree and down again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "wherry/plan/functions.hpp"

#include "group_board.hpp"
#include "group_contact.hpp"
#include "group_mail.hpp"

namespace wherry {

/// The ways by which a member reaches the members that it communicates with.
struct group_links {
  struct near_one {
    int rank = -1;
    group_board board;
  };
  struct far_one {
    int rank = -1;
    std::uint64_t own = 0;  // the group's number on that rank
    const far_slots* slots = nullptr;
  };
  int rank = -1;  // of this member
  group_board mine;
  std::vector<near_one> all;  // all members in order if all read each other's boards; otherwise empty
  std::vector<near_one> near_children;
  std::vector<far_one> far_children;
  near_one near_parent;
  far_one far_parent;

  bool has_far() const { return !far_children.empty() || far_parent.rank >= 0; }
};

class group_rounds {
 public:
  group_rounds() = default;
  /// @param mail may be null if all members share memory
  explicit group_rounds(group_links links, group_mail* mail = nullptr) : links_(std::move(links)), mail_(mail) {}

  const group_links& links() const { return links_; }
  /// Begins a piece and makes this member's bytes available to the others.
  /// @param call the fingerprint of the call, the same on all members; never a failure
  void begin(std::uint64_t call, const std::byte* in, std::size_t bytes);
  /// True if this member has everything that it needs from the others. @param how null if there are no bytes
  bool step(const plans::typed_reduction* how) { return links_.all.empty() ? step_in_tree(how) : all_are_there(); }
  /// Ends the piece after `step` has returned true. Without a failure, the result is in `out`. @throws the exceptions
  /// of the user's function
  group_failure end(std::byte* out, const plans::typed_reduction* how);

  std::uint64_t number() const { return number_; }
  void append_missing(std::vector<int>& ranks) const;
  /// A member of this node for which this one waits in vain, because it has destroyed the group; -1 if there is none.
  int gone() const;
  /// Says that this member will read no board any more. @return the number of readers of its own board, itself included
  std::uint64_t depart();

 private:
  bool all_are_there() {
    for (; next_ < links_.all.size(); ++next_)
      if (!has_come(links_.all[next_].board.up(number_))) return false;
    return true;
  }
  bool has_come(const group_board::line_of_call& line) const { return line.shows(number_); }
  bool has_come(const far_slots* slots) const {
    return slots->of(number_).number.load(std::memory_order_acquire) == number_;
  }
  bool step_in_tree(const plans::typed_reduction* how);
  bool gather(const plans::typed_reduction* how);
  void absorb(int rank, std::uint64_t call, const std::byte* data, const plans::typed_reduction* how);
  void pass_up();
  bool receive();
  void pass_down(std::uint64_t call, const std::byte* data);
  bool is_root() const { return !links_.near_parent.board && links_.far_parent.rank < 0; }
  group_failure end_among_all(std::byte* out, const plans::typed_reduction* how);

  group_links links_;
  group_mail* mail_ = nullptr;
  std::uint64_t number_ = 0, call_ = 0;
  std::size_t bytes_ = 0;
  std::size_t next_ = 0;  // index of the next member to wait for
  bool went_up_ = false, came_down_ = false;
  group_failure failure_;
  const std::byte* result_ = nullptr;
  std::exception_ptr thrown_;
};

}  // namespace wherry
