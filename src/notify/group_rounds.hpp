// One piece of a collective of a group after another, as a machine that any number of `step`s brings forward. Among few
// ranks that share memory everybody reads everybody's board; else what they have goes up a tree and down again.
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

/// How a member reaches those it talks to.
struct group_links {
  struct near_one {
    int rank = -1;
    group_board board;
  };
  struct far_one {
    int rank = -1;
    std::uint64_t own = 0;  // the group's number there
    const far_slots* slots = nullptr;
  };
  int rank = -1;  // this one
  group_board mine;
  std::vector<near_one> all;  // where everybody reads everybody: the members in order. Else empty
  std::vector<near_one> near_children;
  std::vector<far_one> far_children;
  near_one near_parent;
  far_one far_parent;

  bool has_far() const { return !far_children.empty() || far_parent.rank >= 0; }
};

class group_rounds {
 public:
  group_rounds() = default;
  /// @param mail null where all members share memory
  explicit group_rounds(group_links links, group_mail* mail = nullptr) : links_(std::move(links)), mail_(mail) {}

  const group_links& links() const { return links_; }
  /// This member's bytes are there for the others. @param call which call it is, the same on all; never a failure
  void begin(std::uint64_t call, const std::byte* in, std::size_t bytes);
  /// True: all have what they need of one another. @param how null where there are no bytes
  bool step(const reduction* how) { return links_.all.empty() ? step_in_tree(how) : all_are_there(); }
  /// After that. Where there is no failure the result is in `out`. @throws what the user's function throws
  group_failure end(std::byte* out, const reduction* how);

  std::uint64_t number() const { return number_; }
  void append_missing(std::vector<int>& ranks) const;
  /// A member of this node that is waited for in vain, because it has destroyed the group; -1: none.
  int gone() const;
  /// This member reads nobody's board any more. How many read its own, itself included.
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
  bool step_in_tree(const reduction* how);
  bool gather(const reduction* how);
  void absorb(int rank, std::uint64_t call, const std::byte* data, const reduction* how);
  void pass_up();
  bool receive();
  void pass_down(std::uint64_t call, const std::byte* data);
  bool is_root() const { return !links_.near_parent.board && links_.far_parent.rank < 0; }
  group_failure end_among_all(std::byte* out, const reduction* how);

  group_links links_;
  group_mail* mail_ = nullptr;
  std::uint64_t number_ = 0, call_ = 0;
  std::size_t bytes_ = 0;
  std::size_t next_ = 0;  // of those waited for
  bool went_up_ = false, came_down_ = false;
  group_failure failure_;
  const std::byte* result_ = nullptr;
  std::exception_ptr thrown_;
};

}  // namespace wherry
