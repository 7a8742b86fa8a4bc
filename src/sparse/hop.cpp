#include "hop.hpp"

#include <algorithm>
#include <cstring>

#include "core/bulk_copy.hpp"

namespace wherry::sparse {

void hop::clear() {
  coming_.clear();
  leaving_.clear();
  cells_to_write_.clear();
  cells_to_come_.clear();
  by_message_.clear();
  places_.clear();
  bare_heads_.clear();
  messages_.clear();
  buffer_ = nullptr;
}

void hop::begin(communicator_state& on, const communicator_state::hop_cells* cells, int tag) {
  clear();
  on_ = &on;
  tag_ = tag;
  by_cells_ = cells != nullptr && on.shares_memory();
  if (by_cells_) cells_ = *cells;
}

void hop::start(std::uint64_t word, const send_buffer* buffer) {
  word_ = word;
  buffer_ = buffer;
  for (std::size_t i = 0; i < coming_.size(); ++i) {
    if (uses_cell(coming_[i].from)) {
      cells_to_come_.push_back(i);
    } else {
      coming_[i].message = by_message_.size();
      by_message_.push_back(coming_[i].from);
      places_.push_back(i);
    }
  }
  start_messages();
  for (const auto& one : leaving_)
    if (uses_cell(one.to) && !write_cell(one)) cells_to_write_.push_back(one);
}

void hop::start_messages() {
  if (by_message_.empty() && std::ranges::all_of(leaving_, [this](const auto& one) { return uses_cell(one.to); }))
    return;
  bare_heads_.reserve(leaving_.size());
  messages_.begin(on_->comm, tag_, by_message_);
  for (const auto& one : leaving_) {
    if (uses_cell(one.to)) continue;
    const message_head head{word_, one.bytes};
    auto* list = one.list;
    if (list == nullptr) {
      bare_heads_.push_back(head);
      list = reinterpret_cast<std::byte*>(&bare_heads_.back());
    }
    messages_.send(one.to, list, head);
  }
}

bool hop::write_cell(const outgoing& one) {
  if (!on_->board.is_finished(on_->comm.node_index(one.to), cells_.before)) return false;
  auto& mine = on_->board.mine_for(on_->comm.node_index(one.to), cells_.number);
  mine.word = word_;
  mine.bytes = one.bytes;
  if (one.bytes > 0) {
    const auto bytes = static_cast<std::size_t>(one.bytes);
    const auto* const elements = one.list + sizeof(message_head);
    if (bytes <= cell::room) {
      std::memcpy(mine.content, elements, bytes);
    } else {
      auto* const shown = buffer_->shown + (elements - buffer_->data);
      if (shown != elements) bulk_copy(shown, elements, bytes);
      const auto place = on_->place_of(shown);
      std::memcpy(mine.content, &place, sizeof place);
    }
  }
  cell_board::publish(mine, cells_.number);
  return true;
}

bool hop::cells_are_written() {
  std::erase_if(cells_to_write_, [this](const outgoing& one) { return write_cell(one); });
  return cells_to_write_.empty();
}

bool hop::cells_have_come() {
  std::erase_if(cells_to_come_, [this](std::size_t i) {
    auto& mine = coming_[i];
    const int member = on_->comm.node_index(mine.from);
    const auto* const one = on_->board.from(member, cells_.number);
    if (one == nullptr) return false;
    mine.word = one->word;
    mine.bytes = one->bytes;
    mine.at = one->content;
    if (one->bytes > static_cast<std::int64_t>(cell::room)) {
      std::size_t place = 0;
      std::memcpy(&place, one->content, sizeof place);
      mine.at = on_->memory_of(member, place);
    }
    return true;
  });
  return cells_to_come_.empty();
}

bool hop::heads_have_come() {
  const bool written = cells_are_written();
  const bool cells = cells_have_come();
  if (!messages_.heads_have_come() || !written || !cells) return false;
  for (std::size_t i = 0; i < by_message_.size(); ++i) {
    coming_[places_[i]].word = messages_.head(i)->word;
    coming_[places_[i]].bytes = messages_.head(i)->bytes;
  }
  return true;
}

void hop::receive(const incoming& list, std::byte* to) {
  if (list.bytes <= 0) return;
  if (list.at != nullptr)
    std::memcpy(to, list.at, static_cast<std::size_t>(list.bytes));
  else
    messages_.receive(list.message, to);
}

void hop::drop(const incoming& list) {
  if (list.at == nullptr) messages_.drop(list.message);
}

void hop::append_missing(std::vector<int>& ranks) const {
  for (const auto i : cells_to_come_) ranks.push_back(coming_[i].from);
  for (const auto& one : cells_to_write_) ranks.push_back(one.to);
  messages_.append_missing(ranks);
}

}  // namespace wherry::sparse
