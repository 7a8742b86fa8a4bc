#include "group_rounds.hpp"

#include <cstring>
#include <span>
#include <utility>

namespace wherry {
namespace {

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace

void group_rounds::begin(std::uint64_t call, const std::byte* in, std::size_t bytes) {
  ++number_;
  call_ = call;
  bytes_ = bytes;
  next_ = 0;
  went_up_ = came_down_ = false;
  failure_ = {};
  copy_bytes(links_.mine.up_bytes(number_, bytes), in, bytes);
  if (!links_.all.empty()) links_.mine.up(number_).show(number_, call);
}

group_failure group_rounds::end(std::byte* out, const plans::typed_reduction* how) {
  if (!links_.all.empty()) return end_among_all(out, how);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (!failure_) copy_bytes(out, result_, bytes_);
  return failure_;
}

group_failure group_rounds::end_among_all(std::byte* out, const plans::typed_reduction* how) {
  const auto& first = links_.all.front();
  const auto call = first.board.up(number_).call;
  for (const auto& one : links_.all)
    if (one.board.up(number_).call != call) return group_failure::between(first.rank, one.rank);
  if (bytes_ == 0) return {};
  copy_bytes(out, first.board.up_bytes(number_, bytes_), bytes_);
  for (std::size_t i = 1; i < links_.all.size(); ++i)
    how->apply(out, links_.all[i].board.up_bytes(number_, bytes_), bytes_ / how->element);
  return {};
}

bool group_rounds::step_in_tree(const plans::typed_reduction* how) {
  if (!went_up_) {
    if (!gather(how)) return false;
    pass_up();
    went_up_ = true;
  }
  return came_down_ || (came_down_ = receive());
}

bool group_rounds::gather(const plans::typed_reduction* how) {
  const auto near = links_.near_children.size();
  for (; next_ < near; ++next_) {
    const auto& child = links_.near_children[next_];
    const auto& line = child.board.up(number_);
    if (!has_come(line)) return false;
    absorb(child.rank, line.call, child.board.up_bytes(number_, bytes_), how);
  }
  for (; next_ < near + links_.far_children.size(); ++next_) {
    const auto& child = links_.far_children[next_ - near];
    if (!has_come(child.slots)) return false;
    const auto& slot = child.slots->of(number_);
    absorb(child.rank, slot.call, slot.bytes.data(), how);
  }
  return true;
}

void group_rounds::absorb(int rank, std::uint64_t call, const std::byte* data, const plans::typed_reduction* how) {
  if (failure_) return;  // the first failure is reported
  if (group_failure theirs{call}; theirs)
    failure_ = theirs;
  else if (call != call_)
    failure_ = group_failure::between(links_.rank, rank);
  else if (bytes_ != 0)
    try {
      how->apply(links_.mine.up_bytes(number_, bytes_), data, bytes_ / how->element);
    } catch (...) {
      thrown_ = std::current_exception();
      failure_ = group_failure::of(links_.rank);
    }
}

void group_rounds::pass_up() {
  const auto call = failure_ ? failure_.word : call_;
  const auto* const mine = links_.mine.up_bytes(number_, bytes_);
  if (links_.near_parent.board) {
    links_.mine.up(number_).show(number_, call);
  } else if (links_.far_parent.rank >= 0) {
    mail_->send_part(links_.far_parent.rank, links_.far_parent.own, true, number_, call, {mine, failure_ ? 0 : bytes_});
  }
}

bool group_rounds::receive() {
  if (is_root()) {
    result_ = links_.mine.up_bytes(number_, bytes_);
    pass_down(failure_ ? failure_.word : call_, result_);
    return true;
  }
  const bool is_near = static_cast<bool>(links_.near_parent.board);
  if (!(is_near ? has_come(links_.near_parent.board.down(number_)) : has_come(links_.far_parent.slots))) return false;
  const auto call = is_near ? links_.near_parent.board.down(number_).call : links_.far_parent.slots->of(number_).call;
  result_ = is_near ? links_.near_parent.board.down_bytes(number_, bytes_)
                    : links_.far_parent.slots->of(number_).bytes.data();
  if (group_failure theirs{call}; theirs) failure_ = theirs;
  pass_down(call, result_);
  return true;
}

void group_rounds::pass_down(std::uint64_t call, const std::byte* data) {
  const std::size_t bytes = failure_ ? 0 : bytes_;
  for (const auto& child : links_.far_children)
    mail_->send_part(child.rank, child.own, false, number_, call, {data, bytes});
  if (links_.near_children.empty()) return;
  copy_bytes(links_.mine.down_bytes(number_, bytes_), data, bytes);
  links_.mine.down(number_).show(number_, call);
}

void group_rounds::append_missing(std::vector<int>& ranks) const {
  for (std::size_t i = next_; i < links_.all.size(); ++i)
    if (!has_come(links_.all[i].board.up(number_))) ranks.push_back(links_.all[i].rank);
  if (!links_.all.empty()) return;
  if (went_up_) {
    if (!is_root()) ranks.push_back(links_.near_parent.board ? links_.near_parent.rank : links_.far_parent.rank);
    return;
  }
  for (const auto& child : links_.near_children)
    if (!has_come(child.board.up(number_))) ranks.push_back(child.rank);
  for (const auto& child : links_.far_children)
    if (!has_come(child.slots)) ranks.push_back(child.rank);
}

int group_rounds::gone() const {
  const auto in_vain = [this](const group_links::near_one& one, const group_board::line_of_call& line) {
    return one.board.part().will_never_show(line, number_);
  };
  for (const auto& one : links_.all)
    if (in_vain(one, one.board.up(number_))) return one.rank;
  if (!went_up_)
    for (const auto& one : links_.near_children)
      if (in_vain(one, one.board.up(number_))) return one.rank;
  const auto& parent = links_.near_parent;
  return went_up_ && parent.board && in_vain(parent, parent.board.down(number_)) ? parent.rank : -1;
}

std::uint64_t group_rounds::depart() {
  std::uint64_t count = 0;
  const auto leave = [&count](const group_board& board) {
    board.part().let_go();
    ++count;
  };
  for (const auto& one : links_.all) leave(one.board);
  if (!links_.all.empty()) return count;
  for (const auto& child : links_.near_children) leave(child.board);
  if (links_.near_parent.board) leave(links_.near_parent.board);
  leave(links_.mine);
  return count;
}

}  // namespace wherry
